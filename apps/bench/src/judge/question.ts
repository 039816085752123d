import { type Message, messageText } from '@palimpsest/core'
import { type Dialogue, type Probe, settledItems } from '../dialogues/dialogue.ts'
import { type Fact, type StatedFact, statedFact } from './fact.ts'

/** A user's message, and what a perfect memory would answer to it. */
export interface Question {
  /** Index of the message. */
  readonly message: number
  readonly text: string
  readonly facts: readonly Fact[]
}

/** A question whose answer is what was said before. */
export interface StatedQuestion extends Question {
  readonly facts: readonly StatedFact[]
}

/** What a user asks at a probe, and the items that hold by then. */
export function statedQuestion({ messages }: Dialogue, probe: Probe): StatedQuestion {
  const asked = messages[probe.message]
  const facts = settledItems(probe).map((item) => statedFact(item, probe.topic.title))
  return { message: probe.message, text: asked === undefined ? '' : messageText(asked), facts }
}

/** None of these is among the subjects of a generated dialogue. */
const NEVER_STATED = ['colour scheme', 'licence header', 'release day', 'on-call rota'] as const
/** Says nothing that the next question could be answered with, nor that one may answer that one does not know. */
const REPLY: Message = { role: 'assistant', content: 'Let us come back to that later.' }

/** A dialogue that goes on with one question for each topic about something that nobody ever said. */
export interface ExtendedDialogue {
  readonly messages: readonly Message[]
  readonly neverStated: readonly Question[]
}

/** Asks what was never said, behind the end, where nothing that is measured before it can change. */
export function askNeverStated({ messages, topics }: Dialogue): ExtendedDialogue {
  const texts = messages.map((message) => messageText(message).toLowerCase())
  const free = NEVER_STATED.filter((about) => !texts.some((text) => text.includes(about)))
  const neverStated = free.slice(0, topics.length).map((about, index): Question => {
    const title = topics[index]?.title ?? ''
    return {
      message: messages.length + 2 * index,
      text: `Remind me of the ${title}: what did we say about the ${about}?`,
      facts: [{ about: `the ${about} of the ${title}`, value: null, wrong: null, item: null }],
    }
  })
  const more = neverStated.flatMap(({ text }): Message[] => [{ role: 'user', content: text }, REPLY])
  return { messages: [...messages, ...more], neverStated }
}
