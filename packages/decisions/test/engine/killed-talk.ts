import type { CompletionModel, Message } from '@palimpsest/core'

const RULES: readonly string[] = [
  "Let's use Postgres for the database.",
  'For authentication we go with JWT.',
  'We switch from Postgres to MySQL because the operators only run MySQL.',
  'Always run the linter before you commit.',
  'Please look at the layout of this screen once more.',
  'We switch from MySQL to Postgres because the tables have grown.',
]

/** What only a model understands: each fifth turn. */
const hidden = (turn: number) =>
  `The colour of heading${turn} is going to be teal${turn} from here on, so be it.`

/** The history of so many turns, the same for every process. */
export function historyOf(turns: number): Message[] {
  const said = Array.from({ length: turns }, (_, turn): Message[] => [
    { role: 'user', content: turn % 5 === 4 ? hidden(turn) : (RULES[turn % RULES.length] ?? '') },
    {
      role: 'assistant',
      content: `Done in ${turn}. ${'The spacing follows the grid on each screen. '.repeat(8)}`,
    },
  ])
  return [{ role: 'system', content: 'You are a coding agent.' }, ...said.flat()]
}

/** Finds what is hidden in the turns that it is shown, and writes a summary of everything else. */
export function readingModel(): CompletionModel {
  return {
    name: 'reader',
    async complete({ prompt }) {
      const candidates = [
        ...prompt.matchAll(
          /<message number="(\d+)"[^>]*>\n(The colour of (heading\d+) is going to be (teal\d+) .*)/g,
        ),
      ].map(([, message, quote, slot, choice]) => ({
        kind: 'assert',
        message: Number(message),
        quote,
        category: 'decisions',
        slot,
        choice,
        l0: `${slot} colour ${choice}`,
      }))
      const isReading = prompt.includes('<turns>')
      const text = isReading
        ? JSON.stringify({ candidates })
        : '## Conclusions\nThe spacing follows the grid.'
      return { text, finishReason: 'stop' }
    },
  }
}

/** The slots of what a model finds in so many turns. */
export function hiddenSlots(turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, turn) => turn)
    .filter((turn) => turn % 5 === 4)
    .map((turn) => `heading${turn}`)
}
