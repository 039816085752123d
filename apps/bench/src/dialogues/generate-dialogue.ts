import { freezeMessage, type Message } from '@palimpsest/core'
import { createRandom } from '../workload/random.ts'
import { createVocabulary } from '../workload/vocabulary.ts'
import { type Dialogue, type Item, type Probe, settledItems, type Topic } from './dialogue.ts'
import { type PlannedTurn, planTurns } from './plan-turns.ts'
import { type PlannedTopic, planTopics } from './topics.ts'
import { answerTo, systemPrompt, type TurnInput, toolRounds, userText } from './write-turn.ts'

export interface DialogueInput {
  readonly seed: number
  /** User turns. */
  readonly turns: number
}

/** Tokens of a turn: so that 50 turns are 64K to 256K. */
const TOKENS_OF_TURN = [1280, 5120] as const

/**
 * A generated coding conversation: one to four requirements whose details are scattered over the user's turns, some of
 * them wrong at first and corrected later, between one-off requests, pasted text and questions about what was said.
 */
export function generateDialogue({ seed, turns }: DialogueInput): Dialogue {
  const random = createRandom(seed)
  const vocabulary = createVocabulary(random, 4000)
  const planned = planTopics(random)
  const plan = planTurns(planned, turns, random)
  const [least, most] = TOKENS_OF_TURN
  const tokensOfTurn = least * (most / least) ** random.next()

  const messages: Message[] = [systemPrompt(vocabulary)]
  const settled = new Map<string, number>()
  const wrong = new Map<string, number>()
  const probed: { title: string | undefined; message: number }[] = []
  for (const turn of plan) {
    const at = messages.length
    for (const { item, isWrong, isProposed } of turn.said) {
      if (isProposed) continue
      ;(isWrong ? wrong : settled).set(keyOf(item.subject), at)
    }
    for (const { subject } of turn.accepted) settled.set(keyOf(subject), at)
    if (turn.isProbe) probed.push({ title: turn.topic?.title, message: at })
    messages.push(...writeTurn(turn, { random, vocabulary, tokensOfTurn, number: at }))
  }
  const topics = planned.map((topic) => finishTopic(topic, settled, wrong))
  const probes = probed
    .flatMap(({ title, message }): Probe[] => {
      const topic = topics.find((other) => other.title === title)
      return topic === undefined ? [] : [{ message, topic }]
    })
    // Of what was not talked about yet there is nothing to remember.
    .filter((probe) => settledItems(probe).length > 0)
  return { seed, messages: messages.map(freezeMessage), topics, probes }
}

function writeTurn(turn: PlannedTurn, input: TurnInput): Message[] {
  return [
    { role: 'user', content: userText(turn, input) },
    ...toolRounds(turn, input),
    { role: 'assistant', content: answerTo(turn, input) },
  ]
}

function finishTopic(
  { title, names, items }: PlannedTopic,
  settled: ReadonlyMap<string, number>,
  wrongly: ReadonlyMap<string, number>,
): Topic {
  return {
    title,
    names,
    items: items.map(({ kind, subject, value, wrong }): Item => {
      const settledAt = settled.get(keyOf(subject)) ?? Number.POSITIVE_INFINITY
      const statedAt = wrongly.get(keyOf(subject))
      return {
        kind,
        subject,
        value,
        settledAt,
        ...(wrong !== undefined && statedAt !== undefined && { wrong: { value: wrong, statedAt } }),
      }
    }),
  }
}

const keyOf = (subject: readonly string[]): string => subject.join('|')
