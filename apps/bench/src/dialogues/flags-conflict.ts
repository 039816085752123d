import type { Subject } from './dialogue.ts'
import { isAbout, passages } from './presence.ts'

/** Beginnings of what any writer may say of two values of which nobody knows which one holds. */
const WORDS = [
  'ambigu|clarif|competing|conflict|contested|contradict|disagree|discrepan|disput|incompatib|inconsisten|mismatch',
  'unclear|undecided|unresolved|unsettled|open question|open which',
  '(?:not|never) (?:yet )?(?:been )?(?:clear|decided|resolved|settled)',
  '(?:different|two|two possible) (?:answers|values|versions)',
]
const CHOICE = String.raw`either\b.{1,160}?\bor\b`
/** The generated conversations have none of it. */
const MARK = new RegExp(String.raw`\b(?:(?:${WORDS.join('|')})\w*|${CHOICE})`, 'is')

/**
 * True when a prompt says that values are in conflict: each of them stands with its subject and with a mark of conflict, all in
 * one statement and within 240 characters. With one value: whether it is said to be in conflict with anything.
 */
export function flagsConflict(
  texts: readonly string[],
  subject: Subject,
  values: readonly string[],
): boolean {
  return values.every((value) =>
    texts
      .filter((text) => text.includes(value) && MARK.test(text))
      .some((text) =>
        passages(statementsOf(text), value).some(
          (passage) => MARK.test(passage.text) && isAbout(passage.text, subject),
        ),
      ),
  )
}

/**
 * The statements of a text: its lines, each with the indented ones below it, and the objects of a JSON answer. A word in one
 * statement says nothing about the next one.
 */
function statementsOf(text: string): string[] {
  return text.split(/\n(?![ \t])|\},\s*\{/)
}
