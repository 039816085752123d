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
  /(?:(?<![A-Za-z0-9+/=])|(?<=\\[nrt]))(?:(?:[A-Za-z0-9+/]{64}(?:\\{1,7}[nr]|[\s"',|>]){1,8}){2,}|(?:[A-Za-z0-9+/]{70}(?:\\{1,7}[nr]|[\s"',|>]){1,8}){2,})[A-Za-z0-9+/]{0,70}={0,2}/y
/** The text before public lines, such as a certificate's. */
const PUBLIC = /-----BEGIN [A-Z0-9 ]{1,40}-----(?:\\{1,7}[nr]|\s){0,8}$/
/**
 * Blanks private keys in PEM and PGP armour, also without their start or end, and base64 lines of the same width.
 * Linear.
 */
export function blankPrivateKeys(text: string): string {
  const result = text.includes('PRIVATE KEY') ? blankArmour(text) : text
  return blankLines(result)
}

/** Characters of one line of a key. */
const LINE = 64
const BASE64 = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  BASE64[letter.charCodeAt(0)] = 1

function blankLines(text: string): string {
  const isBase64 = (at: number): boolean => BASE64[text.charCodeAt(at)] === 1
  let result = ''
  let done = 0
  // A line holds one of every 64 characters: the others are looked at where that is base64.
  for (let at = LINE - 1; at < text.length; at += LINE) {
    if (!isBase64(at)) continue
    let start = at
    while (isBase64(start - 1)) start--
    while (isBase64(at + 1)) at++
    if (at + 1 - start < LINE) continue
    const found = linesAt(text, start)
    if (found === undefined) continue
    const end = found.start + found.lines.length
    if (isKey(text, found)) {
      result += text.slice(done, found.start) + blank(KIND, found.lines.length)
      done = end
    }
    at = end - 1
  }
  return done === 0 ? text : result + text.slice(done)
}

interface Lines {
  readonly start: number
  readonly lines: string
}

/** The lines that begin with a run of base64, or behind the letter of a line break that is written out. */
function linesAt(text: string, run: number): Lines | undefined {
  for (const start of text[run - 1] === '\\' ? [run, run + 1] : [run]) {
    LINES.lastIndex = start
    const lines = LINES.exec(text)?.[0]
    if (lines !== undefined) return { start, lines }
  }
  return undefined
}

function isKey(text: string, { start, lines }: Lines): boolean {
  const isMixed = /[A-Z]/.test(lines) && /[a-z]/.test(lines) && /\d/.test(lines)
  return isMixed && !PUBLIC.test(text.slice(Math.max(0, start - 80), start))
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
