import { constraintStrength } from './cues/constraint-cues.ts'
import { isDecision } from './cues/decision-cues.ts'
import { isAcceptance } from './cues/reply-cues.ts'
import type { Statement, UserDigest } from './message-digest.ts'
import { oneLine } from './text/one-line.ts'
import { shortenMiddle } from './text/shorten.ts'
import { splitSentences } from './text/split-sentences.ts'
import { isErrorLine } from './tools/error-lines.ts'

const MAX_ASK_CHARS = 900
const MAX_STATEMENT_CHARS = 300
const MAX_STATEMENTS = 12

/** Digests what a user said: the ask, rules, choices, reported errors, and whether a proposal is accepted. */
export function digestUser(prose: string): UserDigest {
  const constraints: Statement[] = []
  const decisions: Statement[] = []
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
  }
  // Cut before the white space is collapsed, so that a huge paste is not walked twice.
  const ask = shortenMiddle(oneLine(shortenMiddle(prose.trim(), 8 * MAX_ASK_CHARS)), MAX_ASK_CHARS)
  return { ask, constraints, decisions, errors, accepts: isAcceptance(ask) }
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
