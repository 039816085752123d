import { messageText } from '@palimpsest/core'
import { type ReadMessage, slotOfValue } from '@palimpsest/decisions'
import type { Extractor } from './score-set.ts'

/** "use X", "go with X", "set X to Y". */
const CHOSEN =
  /\b(?:(?:let'?s |we(?:'ll| will)? |please )?(?:use|using|go with|going with|pick|choose|switch to|move to|stick with|prefer)) (?:the )?(?<value>[\w@/][\w.+#@/-]*)|\b(?:set|change|raise|lower|bump) (?:the )?(?<name>\w[\w .-]{1,40}?) to (?<setTo>[\w.%-]+)/gi

const NAMED = /(?<value>[\p{L}@][\p{L}\p{N}.+#@/-]*)/gu

/** The rules against the simplest ways to read decisions, which have their dictionary of technologies. */
export const SIMPLE_READERS: readonly { readonly name: string; readonly extract: Extractor }[] = [
  {
    name: '“use X”',
    extract: (input) =>
      found(input, CHOSEN, ({ value = '', name = '', setTo = '' }) =>
        name === ''
          ? (slotOfValue(value) ?? { slot: 'choice', value })
          : { slot: `setting:${name}`, value: setTo },
      ),
  },
  {
    name: 'each named technology',
    extract: (input) => found(input, NAMED, ({ value = '' }) => slotOfValue(value)),
  },
]

type Groups = Readonly<Record<string, string | undefined>>

function found(
  { index, message }: ReadMessage,
  pattern: RegExp,
  read: (groups: Groups) => { readonly slot: string; readonly value: string } | undefined,
): ReturnType<Extractor> {
  if (message.role !== 'user' && message.role !== 'assistant') return []
  const kind = message.role === 'user' ? 'assert' : 'propose'
  return Array.from(messageText(message).matchAll(pattern)).flatMap((match) => {
    const choice = read(match.groups ?? {})
    if (choice === undefined) return []
    const span = { message: index, start: match.index, end: match.index + match[0].length }
    const rest = { area: '', category: 'decisions', cardinality: 'one', l0: '', entities: [] } as const
    return [{ kind, span, choice: { slot: choice.slot, choice: choice.value, ...rest }, isChange: false }]
  })
}
