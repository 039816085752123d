// One bit per class of character, so that the classes of a whole token are the OR of its characters'.

/** Small letters, and letters of other alphabets. */
export const LOWER = 1
/** Capital letters of ASCII. */
export const UPPER = 2
/** `0` to `9`. */
export const DIGIT = 4
/** `_` */
export const UNDERSCORE = 8
/** `.` */
export const DOT = 16
/** `/` */
export const SLASH = 32
/** `-` */
export const DASH = 64
/** `:` */
export const COLON = 128
/** `@`, `#`, `$`, `~`, `%` and `\`: they make a token worth a look. */
export const SIGIL = 256
/** Not a character: the token has a capital inside, as in `camelCase` or `HTMLElement`. */
export const HUMP = 512

const TABLE = new Uint16Array(128)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code)
  if (char >= 'a' && char <= 'z') TABLE[code] = LOWER
  else if (char >= 'A' && char <= 'Z') TABLE[code] = UPPER
  else if (char >= '0' && char <= '9') TABLE[code] = DIGIT
  else if (char === '_') TABLE[code] = UNDERSCORE
  else if (char === '.') TABLE[code] = DOT
  else if (char === '/') TABLE[code] = SLASH
  else if (char === '-') TABLE[code] = DASH
  else if (char === ':') TABLE[code] = COLON
  else if ('@#$~%\\'.includes(char)) TABLE[code] = SIGIL
}

/**
 * The class of a UTF-16 code unit; 0 separates tokens. Letters of alphabets count as lower case; scripts
 * written without spaces, general punctuation and surrogates separate.
 */
export function charClass(code: number): number {
  if (code < 128) return TABLE[code] ?? 0
  return code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7 ? LOWER : 0
}
