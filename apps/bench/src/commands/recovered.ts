import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { quoteLost } from '@palimpsest/summaries'
import { createTokenCounter } from '@palimpsest/tokens'
import { sessionAfter } from '../arms/engines.ts'
import { identifiersOf } from '../recall/identifiers.ts'
import { indexOfName, passedIn, textOf } from '../recall/whole-word.ts'
import { left, percent, right, type Section, tableOf, whole } from '../report/section.ts'
import { mean } from '../speed/time.ts'
import { defineMeasure } from './define-measure.ts'
import { DATA, openSessions, type RecordedSession } from './options.ts'

export const recovered = defineMeasure<readonly RecoveredRow[]>({
  description: "what an agent's own compaction loses, and what the hook and a search give back",
  options: [DATA],
  async run({ data }, { root }) {
    const { sessions } = await openSessions(data, root)
    return runRecovered(sessions, createTokenCounter())
  },
  sections: recoveredSection,
})

function recoveredSection(rows: readonly RecoveredRow[]): Section {
  return {
    title: "What an agent's own compaction loses",
    text:
      `Compactions that recorded agents did by themselves: ${whole(rows[0]?.compactions.length ?? 0)}. Names: those that the next ` +
      `${MESSAGES_BEHIND} messages use, that were known before and that nothing shows again in between. The user's words: the first ` +
      `${BEGINNING} characters of each message. Tokens: the mean beyond the summary, and of one answer of a search. A search asks ` +
      'for the name, or for the first 30 characters, and is right when a hit of its first page shows the case.',
    table: tableOf(rows, [
      left('what the model sees', ({ arm }) => arm),
      right('tokens', ({ compactions }) => whole(mean(compactions.map(({ tokens }) => tokens)))),
      right('names', (row) => share(row, 'names')),
      right("the user's words", (row) => share(row, 'words')),
    ]),
  }
}

function share({ compactions }: RecoveredRow, key: keyof Asked): string {
  const cases = compactions.flatMap(({ shown }) => shown[key])
  return `${percent(mean(cases), 0)} of ${whole(cases.length)}`
}

interface Asked {
  readonly names: readonly string[]
  readonly words: readonly string[]
}

interface Recovered {
  readonly tokens: number
  readonly shown: Readonly<Record<keyof Asked, readonly boolean[]>>
}

type RecoveredRow = { readonly arm: string; readonly compactions: readonly Recovered[] }

const MESSAGES_BEHIND = 120
const LEAST_SAID = 12
const BEGINNING = 60
const INJECTED = /^(?:<|\[Request interrupted|Caveat:|This session is being continued)/

function askedAt(messages: readonly Message[], at: number): Asked {
  const before = messages.slice(0, at)
  const known = before.map(textOf).join('\n')
  const names = new Set<string>()
  let since = ''
  for (const message of messages.slice(at, at + MESSAGES_BEHIND)) {
    if (message.role === 'user' || message.role === 'assistant')
      for (const name of identifiersOf(messageText(message), passedIn(message)))
        if (indexOfName(since, name) < 0 && indexOfName(known, name) >= 0) names.add(name)
    since += `\n${textOf(message)}`
  }
  const words = before
    .filter(({ role }) => role === 'user')
    .map((message) => oneLine(messageText(message)))
    .filter((text) => text.length > LEAST_SAID && !INJECTED.test(text))
    .map((text) => text.slice(0, BEGINNING))
  return { names: [...names], words }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const READ = 128 * 1024
const AROUND = 700

function readByHook(messages: readonly Message[]): Message[] {
  let left = READ
  return messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .toReversed()
    .filter((message) => {
      if (message.role === 'user') return true
      left -= JSON.stringify(message).length + AROUND
      return left >= 0
    })
    .toReversed()
}

interface Compacted {
  readonly before: readonly Message[]
  readonly summary: string
  readonly asked: Asked
}

const ADDED: Readonly<Record<string, (compacted: Compacted) => string>> = {
  "the agent's own summary": () => '',
  'and what the hook adds at once': ({ before }) => quoteLost({ messages: readByHook(before), summary: '' }),
  'and what the hook adds when it is resumed': ({ before, summary }) =>
    quoteLost({ messages: readByHook(before), summary }),
}

export async function runRecovered(
  sessions: readonly RecordedSession[],
  tokens: TokenCounter,
): Promise<RecoveredRow[]> {
  const cases = sessions.flatMap(({ messages, nativeCompactions }) =>
    nativeCompactions.flatMap(({ beforeEntry: at, summary }): Compacted[] =>
      summary === undefined || at < 2
        ? []
        : [{ before: messages.slice(0, at), summary, asked: askedAt(messages, at) }],
    ),
  )
  const rows = Object.entries(ADDED).map(([arm, add]) => {
    const compactions = cases.map((each): Recovered => {
      const added = add(each)
      const text = `${each.summary}\n${added}`
      const names = each.asked.names.map((name) => indexOfName(text, name) >= 0)
      const words = each.asked.words.map((said) => oneLine(text).includes(said))
      return { tokens: tokens.countText(added), shown: { names, words } }
    })
    return { arm, compactions }
  })
  const found: Recovered[] = []
  for (const each of cases) found.push(await findOnce(each, tokens))
  return [...rows, { arm: 'found by one search', compactions: found }]
}

async function findOnce({ before, asked }: Compacted, tokens: TokenCounter): Promise<Recovered> {
  const context = await sessionAfter(lcm, before)
  let spent = 0
  const search = async (query: string): Promise<string> => {
    const answer = await context.callTool('lcm_grep', { query, mode: 'text' })
    const { hits = [] } = JSON.parse(answer) as { hits?: readonly { readonly text: string }[] }
    spent += tokens.countText(answer)
    return hits.map(({ text }) => text).join('\n')
  }
  const shown = { names: [] as boolean[], words: [] as boolean[] }
  for (const name of asked.names) shown.names.push(indexOfName(await search(name), name) >= 0)
  for (const said of asked.words) shown.words.push(oneLine(await search(said.slice(0, 30))).includes(said))
  await context.end()
  return { tokens: spent / Math.max(1, asked.names.length + asked.words.length), shown }
}
