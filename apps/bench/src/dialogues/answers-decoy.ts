import type { Decoy } from './dialogue.ts'
import { passages, plain } from './presence.ts'
import { statementsOf } from './statements.ts'

/**
 * True when something in a prompt could be taken for the answer to a question that nobody answered: a value of the kind that was
 * asked for, in one statement with what was asked about and within 240 characters, and no other topic is named there.
 */
export function answersDecoy(
  texts: readonly string[],
  { subject: [, about], pool, elsewhere }: Decoy,
): boolean {
  const asked = plain(about)
  const statements = texts.flatMap((text) =>
    plain(text).includes(asked) ? statementsOf(text).filter((line) => plain(line).includes(asked)) : [],
  )
  return pool.some((value) =>
    passages(statements, value).some(({ text }) => {
      const words = plain(text)
      return words.includes(asked) && !elsewhere.some((topic) => words.includes(topic))
    }),
  )
}
