import { countMessages, freezeMessage } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { ready, timePair } from '../speed/time.ts'
import type { Measure } from './compare.ts'
import type { Extractor } from './finding.ts'
import type { LabelledConversation, LabelledMessage } from './labelled/conversation.ts'
import type { LabelledPart, Part } from './labelled/labelled-set.ts'
import { readConversation } from './read-conversation.ts'
import { type Score, type SetScore, scoreSet } from './score-set.ts'

export interface DecisionsReport {
  readonly node: string
  readonly parts: readonly PartReport[]
}

/** What was measured on one part of the labelled set. */
export interface PartReport {
  readonly part: Part
  readonly conversations: number
  readonly messages: number
  readonly userMessages: number
  /** User messages that decide nothing. */
  readonly negatives: number
  readonly scores: readonly SetScore[]
  readonly languages: readonly LanguageScore[]
  readonly speed: ExtractionSpeed
}

/** The scores of the conversations in one language, or in all but English. */
export interface LanguageScore {
  readonly language: string
  readonly userMessages: number
  readonly strict: Score
  readonly value: Score
}

export interface ExtractionSpeed {
  /** Microseconds for a message, median over the runs. */
  readonly extract: number
  /** The same for counting its tokens with a counter that has not seen it. */
  readonly count: number
  readonly ratio: number
}

const RUNS = 10
const MEASURES: readonly Measure[] = ['strict', 'value']

/** Precision, recall and speed of an extractor on the labelled set. */
export async function runDecisions(
  extract: Extractor,
  parts: readonly LabelledPart[],
  runs = RUNS,
): Promise<DecisionsReport> {
  const reports: PartReport[] = []
  for (const { part, conversations } of parts) {
    const messages = conversations.flatMap((conversation) => conversation.messages)
    const users = usersIn(conversations)
    reports.push({
      part,
      conversations: conversations.length,
      messages: messages.length,
      userMessages: users.length,
      negatives: users.filter(({ negative }) => negative !== undefined).length,
      scores: MEASURES.map((measure) => scoreSet(extract, conversations, measure)),
      languages: scoreLanguages(extract, conversations),
      speed: await measureExtraction(extract, conversations, runs),
    })
  }
  return { node: process.version, parts: reports }
}

const usersIn = (conversations: readonly LabelledConversation[]): LabelledMessage[] =>
  conversations.flatMap(({ messages }) => messages).filter(({ message }) => message.role === 'user')

function scoreLanguages(extract: Extractor, conversations: readonly LabelledConversation[]): LanguageScore[] {
  const languages = [...new Set(conversations.map(({ language }) => language))]
  const score = (language: string, within: readonly LabelledConversation[]): LanguageScore => ({
    language,
    userMessages: usersIn(within).length,
    strict: scoreSet(extract, within, 'strict').total,
    value: scoreSet(extract, within, 'value').total,
  })
  return [
    ...languages.map((each) =>
      score(
        each,
        conversations.filter(({ language }) => language === each),
      ),
    ),
    score(
      'all but en',
      conversations.filter(({ language }) => language !== 'en'),
    ),
  ]
}

async function measureExtraction(
  extract: Extractor,
  conversations: readonly LabelledConversation[],
  runs: number,
): Promise<ExtractionSpeed> {
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
