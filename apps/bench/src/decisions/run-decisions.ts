import type { Measure } from './compare.ts'
import type { Extractor } from './finding.ts'
import type { LabelledConversation, LabelledMessage, LabelledPart } from './labelled-set.ts'
import { scoreSet } from './score-set.ts'

export type DecisionsReport = ReturnType<typeof runDecisions>

export type PartReport = ReturnType<typeof measurePart>

const MEASURES: readonly Measure[] = ['strict', 'value']

export function runDecisions(extract: Extractor, parts: readonly LabelledPart[]) {
  return { parts: parts.map((part) => measurePart(extract, part)) }
}

function measurePart(extract: Extractor, { part, conversations }: LabelledPart) {
  const users = usersIn(conversations)
  return {
    part,
    conversations: conversations.length,
    messages: conversations.flatMap(({ messages }) => messages).length,
    userMessages: users.length,
    negatives: users.filter(({ negative }) => negative !== undefined).length,
    scores: MEASURES.map((measure) => scoreSet(extract, conversations, measure)),
    languages: scoreLanguages(extract, conversations),
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
