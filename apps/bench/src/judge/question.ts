import { type Message, messageText } from '@palimpsest/core'
import { type Dialogue, type Probe, settledItems } from '../dialogues/dialogue.ts'
import { type Fact, type StatedFact, statedFact } from './fact.ts'
import { type SeedTask, seedTasks } from './seed-task.ts'

export interface Question {
  readonly message: number
  readonly text: string
  readonly facts: readonly Fact[]
  /** A list or a function that is asked for; absent where facts are. */
  readonly task?: SeedTask
}

export interface StatedQuestion extends Question {
  readonly facts: readonly StatedFact[]
}

export function statedQuestion({ messages }: Dialogue, probe: Probe): StatedQuestion {
  const asked = messages[probe.message]
  const facts = settledItems(probe).map((item) => statedFact(item, probe.topic.title))
  return { message: probe.message, text: asked === undefined ? '' : messageText(asked), facts }
}

const NEVER_STATED = ['colour scheme', 'licence header', 'release day', 'on-call rota'] as const
/** Says nothing that the next question could be answered with, nor that one may answer that one does not know. */
const REPLY: Message = { role: 'assistant', content: 'Let us come back to that later.' }

/** Asks what was never said, and for what LoCoEval asks for, where nothing that is measured before it can change. */
export function extendDialogue(dialogue: Dialogue, runsCode: boolean) {
  const { messages, topics } = dialogue
  const texts = messages.map((message) => messageText(message).toLowerCase())
  const free = NEVER_STATED.filter((about) => !texts.some((text) => text.includes(about)))
  const neverStated = free.slice(0, topics.length).map((about, index) => {
    const title = topics[index]?.title ?? ''
    return {
      text: `Remind me of the ${title}: what did we say about the ${about}?`,
      facts: [{ about: `the ${about} of the ${title}`, value: null, wrong: null, item: null }],
    }
  })
  const tasks = seedTasks(dialogue, runsCode).map((task) => ({ text: task.text, facts: [], task }))
  const asked = [...neverStated, ...tasks].map(
    (question, index): Question => ({ ...question, message: messages.length + 2 * index }),
  )
  const more = asked.flatMap(({ text }): Message[] => [{ role: 'user', content: text }, REPLY])
  return {
    messages: [...messages, ...more],
    neverStated: asked.slice(0, neverStated.length),
    tasks: asked.slice(neverStated.length),
  }
}
