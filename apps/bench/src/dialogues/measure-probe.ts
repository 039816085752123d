import type { Message, TokenCounter } from '@palimpsest/core'
import type { OpenedArm, Search } from '../arms/arm.ts'
import type { PlayedRequest } from '../arms/play-arm.ts'
import { changedFiles } from './changed-files.ts'
import {
  type Contest,
  type Dialogue,
  type Item,
  openContests,
  type Probe,
  type Subject,
  settledItems,
} from './dialogue.ts'
import { flagsConflict } from './flags-conflict.ts'
import { countTitles, holdsItem, promptTexts, readableText, showsCurrent, showsStale } from './presence.ts'

/** What the model had before it when it was asked about a topic. */
export type ProbeResult = Awaited<ReturnType<typeof measureProbe>>

/** Whether the model had an item before it when it was asked. */
export type ItemResult = ReturnType<typeof measureItem>

/** The prompt in which a question was asked, and the tools beside it. */
export interface MeasureInput {
  readonly dialogue: Dialogue
  readonly tokens: TokenCounter
  readonly searches: readonly Search[]
}

/** Asks for everything about a probe's topic. */
export async function measureProbe(
  probe: Probe,
  { projection, size, opened }: Pick<PlayedRequest, 'projection' | 'size' | 'opened'>,
  { dialogue, tokens, searches }: MeasureInput,
) {
  const { title } = probe.topic
  const texts = promptTexts(projection.messages)
  const items: ItemResult[] = []
  for (const item of settledItems(probe))
    items.push(measureItem(item, texts, await askTools(item.subject, opened, searches)))
  const contests: ReturnType<typeof measureContest>[] = []
  for (const contest of openContests(probe))
    contests.push(measureContest(contest, texts, await askTools(contest.subject, opened, searches)))
  const { numbers } = probe.topic.task
  const isSettled = numbers.every(({ settledAt }) => settledAt < probe.message)
  const isShown = (number: Item): boolean => items.some((each) => each.item === number && each.isShown)
  // The question itself names what it asks about.
  const raised = dialogue.raised.filter((each) => each.message < probe.message && each.title !== title)
  const titles = raised.map((each) => each.title)
  return {
    /** Tokens of the prompt's messages, and of the tools beside them. */
    tokens: size,
    toolTokens: tokens.countTools(projection.tools),
    items,
    /** How many titles of what came up before stand in the prompt. */
    raised: { found: countTitles(texts, titles), n: titles.length },
    /** Whether all numbers of the topic's function stand in the prompt; null while one of them is not settled. */
    isFunctionComplete: isSettled ? numbers.every(isShown) : null,
    contests,
    trail: measureTrail(probe, dialogue, projection.messages),
  }
}

/** The answers of the tools to the words of a subject, in which the value does not stand. */
async function askTools(
  [topic, about]: Subject,
  opened: OpenedArm,
  searches: readonly Search[],
): Promise<string[]> {
  const answers: string[] = []
  for (const { tool, arguments: argumentsFor } of searches)
    answers.push(readableText(await opened.callTool(tool, argumentsFor(`${topic} ${about}`))))
  return answers
}

function measureItem(item: Item, texts: readonly string[], answers: readonly string[]) {
  const isShown = holdsItem(texts, item)
  const wasWrong = item.wrong !== undefined
  return {
    item,
    isShown,
    /** In the prompt, or in the answer of one call of a tool. */
    isReached: isShown || answers.some((answer) => holdsItem([answer], item)),
    /** The corrected value is shown without the one that holds beside it; null for an item that was never wrong. */
    isStale: wasWrong ? showsStale(texts, item) : null,
    /** The value that holds is what the prompt says last about the subject; null for an item that was never wrong. */
    isCurrent: wasWrong ? showsCurrent(texts, item) : null,
    /** It is said to be in conflict with something, in the prompt or in the answer of one call. It is not. */
    isFlagged: [texts, answers].some((each) => flagsConflict(each, item.subject, [item.value])),
  }
}

/** Whether the prompt, or the prompt and the answer of one call, say that two values are in conflict. */
function measureContest({ subject, values }: Contest, texts: readonly string[], answers: readonly string[]) {
  const isFlagged = flagsConflict(texts, subject, values)
  const isFlaggedWithTools = isFlagged || answers.some((answer) => flagsConflict([answer], subject, values))
  return { isFlagged, isFlaggedWithTools }
}

/** Files that calls changed before a question, those that the prompt presents as changed, and those that are both. */
function measureTrail({ message }: Probe, dialogue: Dialogue, prompt: readonly Message[]) {
  const before = dialogue.changes.filter((change) => change.message < message)
  const changed = new Set(before.map(({ file }) => file))
  const presented = changedFiles(prompt, new Set(dialogue.files))
  const right = [...presented].filter((file) => changed.has(file)).length
  return { changed: changed.size, presented: presented.size, right }
}
