// The documents' words, as in course_lib/words.py, and what they are called in each language.

export const VECTORS = {
  dog: [0.9, 0.25],
  cat: [0.8, 0.4],
  car: [0.2, 0.95],
  it: [0.6, 0.6],
};

// Transposed from the document's print, so that a row is multiplied: q = x W_Q.
export const W_Q = [[2, 0], [0, -2]];
export const W_K = [[2, 0], [0.3, 1]];

export const NAMES = {
  en: { dog: "dog", cat: "cat", car: "car", it: "it" },
  ko: { dog: "개", cat: "고양이", car: "자동차", it: "그것" },
};
