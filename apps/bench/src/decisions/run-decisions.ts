import { countMessages, freezeMessage } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { ready, timePair } from '../speed/time.ts'
import type { Measure } from './compare.ts'
import type { Extractor } from './finding.ts'
import { type LabelledConversation, type LabelledMessage, readConversation } from './labelled/conversation.ts'
import type { LabelledPart } from './labelled/labelled-set.ts'
import { scoreSet } from './score-set.ts'

export type DecisionsReport = Awaited<ReturnType<typeof runDecisions>>

export type PartReport = Awaited<ReturnType<typeof measurePart>>

const RUNS = 10
const MEASURES: readonly Measure[] = ['strict', 'value']

export async function runDecisions(extract: Extractor, parts: readonly LabelledPart[], runs = RUNS) {
  const reports: PartReport[] = []
  for (const part of parts) reports.push(await measurePart(extract, part, runs))
  return { node: process.version, parts: reports }
}

async function measurePart(extract: Extractor, { part, conversations }: LabelledPart, runs: number) {
  const users = usersIn(conversations)
  return {
    part,
    conversations: conversations.length,
    messages: conversations.flatMap(({ messages }) => messages).length,
    userMessages: users.length,
    negatives: users.filter(({ negative }) => negative !== undefined).length,
    scores: MEASURES.map((measure) => scoreSet(extract, conversations, measure)),
    languages: scoreLanguages(extract, conversations),
    speed: await measureExtraction(extract, conversations, runs),
  }
}

const usersIn = (conversations: readonly LabelledConversation[]): LabelledMessage[] =>
  conversations.flatMap(({ messages }) => messages).filter(({ message }) => message.role === 'user')

/** The scores of the conversations in each language, and in all but English. */
function scoreLanguages(extract: Extractor, conversations: readonly LabelledConversation[]) {
  const score = (language: string, isIn: (conversation: LabelledConversation) => boolean) => {
    const within = conversations.filter(isIn)
    return {
      language,
      userMessages: usersIn(within).length,
      strict: scoreSet(extract, within, 'strict').total,
      value: scoreSet(extract, within, 'value').total,
    }
  }
  const languages = new Set(conversations.map(({ language }) => language))
  return [
    ...Array.from(languages, (each) => score(each, ({ language }) => language === each)),
    score('all but en', ({ language }) => language !== 'en'),
  ]
}

/** Microseconds for a message, median over the runs; beside counting its tokens with a counter that has not seen it. */
async function measureExtraction(
  extract: Extractor,
  conversations: readonly LabelledConversation[],
  runs: number,
) {
  const inputs = conversations.flatMap(readConversation)
  const messages = inputs.map(({ message }) => freezeMessage(message))
  const { measured, floor } = await timePair(
    ready(() => {
      for (const input of inputs) extract(input)
    }),
    () => {
      const tokens = createTokenCounter()
      return () => countMessages(tokens, messages)
    },
    { runs },
  )
  const each = (milliseconds: number): number => (milliseconds * 1000) / messages.length
  return {
    extract: each(measured.median),
    count: each(floor.median),
    ratio: measured.median / floor.median,
  }
}
