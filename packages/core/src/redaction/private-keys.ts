import { blank } from './blanks.ts'

const KIND = 'private-key'

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
/** A longer block is not a key: its end belongs to another one. */
const MAX_KEY_CHARACTERS = 32_768
/**
 * Base64 lines after the start of a key without an end, with escaped or real line breaks, and with the headers that
 * some keys have. A digit or a sign distinguishes a short last line from a word.
 */
const GAP = String.raw`(?:\\{1,7}[nrt]|[\s"',|>]|(?<=\s)\+(?=\s)|[A-Z][A-Za-z-]{2,20}: [^\r\n\\]{0,80}(?=[\r\n\\]))*`
const BODY = new RegExp(
  // oxlint-disable-next-line regexp/no-super-linear-backtracking -- nothing that follows can fail
  `(?:${GAP}[A-Za-z0-9+/][A-Za-z0-9+/=]{19,})*(?:${GAP}(?=[A-Za-z]*[\\d+/=])[A-Za-z0-9+/=]+)?`,
  'y',
)

/** Lines as PEM and OpenSSH break them, 64 and 70 characters of base64, and a last one. */
const LINES =
  /(?:(?<![A-Za-z0-9+/=])|(?<=\\[nrt]))(?:(?:[A-Za-z0-9+/]{64}(?:\\{1,7}[nr]|[\s"',|>]){1,8}){2,}|(?:[A-Za-z0-9+/]{70}(?:\\{1,7}[nr]|[\s"',|>]){1,8}){2,})[A-Za-z0-9+/]{0,70}={0,2}/g
/** The text before public lines, such as a certificate's. */
const PUBLIC = /-----BEGIN [A-Z0-9 ]{1,40}-----(?:\\{1,7}[nr]|\s){0,8}$/
/**
 * Blanks private keys in PEM and PGP armour, also without their start or end, and base64 lines of the same width.
 * Linear.
 */
export function blankPrivateKeys(text: string): string {
  const result = text.includes('PRIVATE KEY') ? blankArmour(text) : text
  return result.replace(LINES, (lines, at: number) => {
    const isMixed = /[A-Z]/.test(lines) && /[a-z]/.test(lines) && /\d/.test(lines)
    return !isMixed || PUBLIC.test(result.slice(Math.max(0, at - 80), at)) ? lines : blank(KIND, lines.length)
  })
}

function blankArmour(text: string): string {
  let result = ''
  let done = 0
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < done) continue
    const bodyStart = begin.index + begin[0].length
    const end = endOfKey(text, bodyStart)
    result += text.slice(done, begin.index) + blank(KIND, end - begin.index)
    done = end
  }
  return result + text.slice(done)
}

function endOfKey(text: string, bodyStart: number): number {
  const window = text.slice(bodyStart, bodyStart + MAX_KEY_CHARACTERS)
  const next = window.search(BEGIN)
  // The end of another key is not searched, which keeps many starts linear.
  const end = END.exec(next === -1 ? window : window.slice(0, next))
  if (end !== null) return bodyStart + end.index + end[0].length
  BODY.lastIndex = bodyStart
  return bodyStart + (BODY.exec(text)?.[0].length ?? 0)
}
