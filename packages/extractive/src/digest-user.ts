import { constraintStrength } from './cues/constraint-cues.ts'
import { isDecision } from './cues/decision-cues.ts'
import { isAcceptance } from './cues/reply-cues.ts'
import { extractIdentifiers } from './identifiers/extract-identifiers.ts'
import type { IdentifierKind } from './identifiers/identifier.ts'
import type { Statement, UserDigest } from './message-digest.ts'
import { oneLine } from './text/one-line.ts'
import { shortenMiddle } from './text/shorten.ts'
import { splitSentences } from './text/split-sentences.ts'
import { isErrorLine } from './tools/error-lines.ts'

const MAX_ASK_CHARS = 900
const MAX_STATEMENT_CHARS = 300
const MAX_VALUE_CHARS = 200
const MAX_STATEMENTS = 12
const MIN_PASTE_CHARS = 300
/** Prompts, stack frames, diffs, rulers, spinners and other marks of output. */
const PASTED =
  /^\s*(?:[$%➜❯›»+|]\s|at \S+[ (]|\d+[:→|]|[-─━=_*#]{4}|[⠀-⣿]|[│├└╭╰┌]|\[[\w:. -]{2,40}\]\s|\d{4}-\d\d-\d\d[T ]|\w+@[\w-]+[:~])/

/** Digests what a user said: the ask, rules, choices, reported errors, and whether a proposal is accepted. */
export function digestUser(prose: string): UserDigest {
  const constraints: Statement[] = []
  const decisions: Statement[] = []
  const values: Statement[] = []
  const errors: string[] = []
  for (const sentence of splitSentences(prose)) {
    const text =
      sentence.length > MAX_STATEMENT_CHARS ? shortenMiddle(sentence, MAX_STATEMENT_CHARS) : sentence
    if (isErrorLine(sentence)) push(errors, text)
    // A pasted line of output or code is quoted, not obeyed.
    if (!isSpoken(sentence)) continue
    const strength = constraintStrength(sentence)
    const decides = isDecision(sentence, 'user')
    if (strength === 2 || (strength === 1 && !decides)) push(constraints, { text, weight: strength })
    else if (decides) push(decisions, { text, weight: 1 })
    else if (text.length <= MAX_VALUE_CHARS && holdsValue(text)) push(values, { text, weight: 1 })
  }
  const ask = shortenMiddle(
    oneLine(shortenMiddle(withoutPaste(prose.trim()), 8 * MAX_ASK_CHARS)),
    MAX_ASK_CHARS,
  )
  return { ask, constraints, decisions, values, errors, accepts: isAcceptance(ask) }
}

const VALUE_KINDS: ReadonlySet<IdentifierKind> = new Set([
  'number',
  'version',
  'hash',
  'setting',
  'url',
  'branch',
  'symbol',
  'path',
  'error',
  'reference',
])

function holdsValue(sentence: string): boolean {
  return extractIdentifiers(sentence).some(({ kind }) => VALUE_KINDS.has(kind))
}

/** A long turn without the output that was pasted into it: from the first such line on, only sentences stay. */
function withoutPaste(prose: string): string {
  if (prose.length < MIN_PASTE_CHARS) return prose
  const lines = prose.split('\n')
  const start = lines.findIndex((line) => PASTED.test(line) || isErrorLine(line.slice(0, 400)))
  if (start === -1) return prose
  const after = lines
    .slice(start)
    .filter((line) => !PASTED.test(line) && isSpoken(line) && line.trim().split(' ').length > 5)
  const said = [...lines.slice(0, start), '[…]', ...after].join('\n').trim()
  return said.length > 8 ? said : prose
}

function push<T>(list: T[], value: T): void {
  if (list.length < MAX_STATEMENTS) list.push(value)
}

/** Whether a line reads like language: mostly letters and spaces, no shell prompt, diff or stack frame in front. */
function isSpoken(line: string): boolean {
  if (/^(?:[$%➜❯>+|]|at |\d+[:→|]|\/?[\w./-]+:\d+|[-─=]{3})/.test(line)) return false
  const letters = line.match(/[\p{L}\p{M}\s',.!?，。、]/gu)?.length ?? 0
  return letters >= line.length * 0.7
}
