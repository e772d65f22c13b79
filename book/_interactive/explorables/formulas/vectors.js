// A vector is an array of numbers, a matrix an array of rows. As everywhere in the course, a row is
// a token, and a row is multiplied by a matrix from the right.

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export const norm = (a) => Math.hypot(...a);

export const transpose = (A) => A[0].map((_, j) => A.map((row) => row[j]));

export function times(A, B) {
  const columns = transpose(B);
  return A.map((row) => columns.map((column) => dot(row, column)));
}

export const scaled = (factor, A) => A.map((row) => row.map((x) => factor * x));

// A vector of zeros has no direction: its cosine with anything is 0, by convention.
export function cosine(a, b) {
  const lengths = norm(a) * norm(b);
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, dot(a, b) / lengths));
}

export const angle = (a, b) => (Math.acos(cosine(a, b)) * 180) / Math.PI; // in degrees

// The matrix that turns a row of the plane to the left by so many degrees.
export function rotation(degrees) {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [[cos, sin], [-sin, cos]];
}
