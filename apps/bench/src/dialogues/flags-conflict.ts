import type { Subject } from './dialogue.ts'
import { isAbout, passages } from './presence.ts'
import { statementsOf } from './statements.ts'

/** Words that say that two values do not go together. The generated conversations have none of them. */
const MARK = /\b(?:contest|conflict|contradict|disput|disagree|inconsisten|unresolved|ask before)\w*/i

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
