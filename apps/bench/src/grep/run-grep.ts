import { type ContextSession, createContextSession, messageText } from '@palimpsest/core'
import lcm, { parseRef } from '@palimpsest/lcm'
import { fixedClock } from '../arms/reproducible.ts'
import { estimateMean } from '../bootstrap.ts'
import type { Progress } from '../progress.ts'
import { textOf } from '../recall/message-text.ts'
import { indexOfName } from '../recall/whole-word.ts'
import type { RecordedSession } from '../sessions/read-sessions.ts'
import { type GrepCase, grepCases } from './grep-cases.ts'

const QUESTIONS = [
  { name: '2 to 4 words from near it', query: ({ words }: GrepCase) => words, within: 5 },
  { name: 'one of them replaced by a synonym', query: ({ replaced }: GrepCase) => replaced, within: 20 },
] as const

/** Orders of the hits; undefined is the tool's default. */
const ORDERS = [undefined, 'relevance'] as const

export type GrepRow = Awaited<ReturnType<typeof runGrep>>[number]

export interface GrepInput {
  readonly sessions: readonly RecordedSession[]
  readonly cases: number
  readonly seed: number
  readonly progress: Progress
}

export async function runGrep({ sessions, cases, seed, progress }: GrepInput) {
  const asked = QUESTIONS.flatMap((question) => ORDERS.map((order) => ({ question, order })))
  const found: boolean[][][] = asked.map(() => [])
  progress.step('grep: facts by the words near them')
  for (const [index, session] of sessions.entries()) {
    const context = createContextSession({
      engine: lcm,
      contextLength: 200_000,
      sessionId: 'grep',
      clock: fixedClock(),
    })
    await context.prepare(session.messages)
    const facts = grepCases(session.messages, cases, seed + index)
    for (const [place, { question, order }] of asked.entries()) {
      const shown: boolean[] = []
      for (const fact of facts) {
        const query = question.query(fact)
        if (query === null) continue
        shown.push(await isFound(context, session, fact, { query, order, limit: question.within }))
      }
      found[place]?.push(shown)
    }
    await context.end()
    progress.done(index + 1, sessions.length)
  }
  progress.end()
  return asked.map(({ question: { name, within }, order = 'default' }, place) => ({
    question: name,
    order,
    within,
    found: estimateMean(found[place] ?? []),
  }))
}

const READ = 1_000

async function isFound(
  context: ContextSession,
  { messages }: RecordedSession,
  { message, identifier }: GrepCase,
  { order, ...args }: { query: string; order: string | undefined; limit: number },
): Promise<boolean> {
  const answer = JSON.parse(await context.callTool('lcm_grep', { ...args, ...(order && { order }) })) as {
    error?: string
    hits?: { ref: string; snippet: string; offset: number }[]
  }
  if (answer.hits === undefined) throw new Error(answer.error)
  return answer.hits.some(({ ref, snippet, offset }) => {
    const { number } = parseRef(ref)
    if (number === message) return true
    const given = messages[number]
    if (given === undefined) return false
    const text = messageText(given)
    const read = Buffer.from(text === '' ? textOf(given) : text).subarray(offset, offset + READ)
    return indexOfName(`${snippet}\n${read.toString()}`, identifier) >= 0
  })
}
