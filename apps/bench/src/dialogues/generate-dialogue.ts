import { freezeMessage, type Message } from '@palimpsest/core'
import { createRandom, createVocabulary } from '../workload/vocabulary.ts'
import {
  type Contest,
  type Dialogue,
  type FileChange,
  type Item,
  type Probe,
  type RaisedTopic,
  settledItems,
  type Topic,
} from './dialogue.ts'
import type { PlannedItem } from './items.ts'
import { isAssistants, type PlannedProbe, type PlannedTopic, planTopics, planTurns } from './topics.ts'
import { answerTo, createWorkspace, fileName, systemPrompt, toolRounds, userText } from './write-turn.ts'

type DialogueInput = { readonly seed: number; readonly turns: number }

/** The dialogues with the seeds from 1 on. */
export const generateDialogues = (count: number, turns: number): Dialogue[] =>
  Array.from({ length: count }, (_, index) => generateDialogue({ seed: index + 1, turns }))

/** Tokens of a turn: so that 50 turns are 64K to 256K. */
const TOKENS_OF_TURN = [1280, 5120] as const

/**
 * A coding conversation: requirements whose details are scattered over the turns, some corrected later, some said in two
 * ways.
 */
export function generateDialogue({ seed, turns }: DialogueInput): Dialogue {
  const random = createRandom(seed)
  const vocabulary = createVocabulary(random, 4000)
  const planned = planTopics(random)
  const plan = planTurns(planned, turns, random)
  const [least, most] = TOKENS_OF_TURN
  const tokensOfTurn = least * (most / least) ** random.next()
  const workspace = createWorkspace(random, vocabulary)

  const messages: Message[] = [systemPrompt(vocabulary)]
  const changes: FileChange[] = []
  const places: Places = { first: new Map(), last: new Map() }
  const raised: RaisedTopic[] = []
  const probed: { readonly probe: PlannedProbe; readonly message: number }[] = []
  for (const turn of plan) {
    const at = messages.length
    const input = { random, vocabulary, workspace, tokensOfTurn, number: at }
    messages.push({ role: 'user', content: userText(turn, input) })
    const onChange = (paths: readonly string[], message: number) =>
      changes.push(...paths.map((path) => ({ file: fileName(path), message })))
    messages.push(...toolRounds(turn, input, onChange))
    for (const saying of turn.said) {
      const place = isAssistants(saying) ? messages.length : at
      if (!places.first.has(saying.item)) places.first.set(saying.item, place)
      places.last.set(saying.item, place)
    }
    for (const item of turn.accepted) places.last.set(item, at)
    const titles = [...turn.introduced.map(({ title }) => title), ...turn.asides]
    raised.push(...titles.map((title) => ({ title, message: at })))
    if (turn.probe !== undefined) probed.push({ probe: turn.probe, message: at })
    messages.push({ role: 'assistant', content: answerTo(turn, input) })
  }
  const topics = planned.topics.map((topic) => finishTopic(topic, places))
  const probes = probed
    .flatMap(({ probe: { topic, decoy }, message }): Probe[] => {
      const asked = topics.find(({ title }) => title === topic.title)
      return asked === undefined ? [] : [{ message, topic: asked, decoy }]
    })
    // Of what was not talked about yet there is nothing to remember.
    .filter((probe) => settledItems(probe).length > 0)
  return {
    seed,
    messages: messages.map(freezeMessage),
    topics,
    probes,
    raised,
    files: workspace.files(),
    changes,
  }
}

type Places = { readonly first: Map<PlannedItem, number>; readonly last: Map<PlannedItem, number> }

function finishTopic(planned: PlannedTopic, places: Places): Topic {
  const { title, names, contests, task } = planned
  const at = (of: ReadonlyMap<PlannedItem, number>, item: PlannedItem): number =>
    of.get(item) ?? Number.POSITIVE_INFINITY
  const items = planned.items.map((item): Item => {
    const { kind, subject, value, wrong } = item
    return {
      kind,
      subject,
      value,
      settledAt: at(places.last, item),
      ...(wrong !== undefined && { wrong: { value: wrong, statedAt: at(places.first, item) } }),
    }
  })
  return {
    title,
    items,
    task: {
      name: names[2],
      template: task.template,
      numbers: items.filter((_, index) => task.numbers.some((number) => number === planned.items[index])),
    },
    contests: contests.flatMap((item): Contest[] => {
      const { kind, subject, value, rival } = item
      if (rival === undefined) return []
      const values = [value, rival.value] as const
      return [{ kind, subject, values, by: rival.by, contestedAt: at(places.last, item) }]
    }),
  }
}
