import type { Message, TokenCounter } from '@palimpsest/core'
import type { Projection } from '../arms/arm.ts'
import { askTools, type ToolsInput } from './ask-tools.ts'
import { changedFiles } from './changed-files.ts'
import { type Contest, type Dialogue, type Item, openContests, type Probe, settledItems } from './dialogue.ts'
import { flagsConflict } from './flags-conflict.ts'
import type { ContestResult, ItemResult, ProbeResult, Trail } from './played.ts'
import { countTitles, holdsItem, promptTexts, showsCurrent, showsStale } from './presence.ts'

/** The prompt in which a question was asked, and what it is measured against. */
export interface MeasureInput extends ToolsInput {
  readonly dialogue: Dialogue
  readonly projection: Projection
  readonly tokens: TokenCounter
  /** Tokens of the projection's messages. */
  readonly size: number
}

/** Asks for everything about a probe's topic. */
export async function measureProbe(probe: Probe, input: MeasureInput): Promise<ProbeResult> {
  const { dialogue, projection, size, tokens } = input
  const { title } = probe.topic
  const texts = promptTexts(projection.messages)
  const items: ItemResult[] = []
  for (const item of settledItems(probe)) items.push(await measureItem(item, texts, input))
  const contests: ContestResult[] = []
  for (const contest of openContests(probe)) contests.push(await measureContest(contest, texts, input))
  const { numbers } = probe.topic.task
  const isSettled = numbers.every(({ settledAt }) => settledAt < probe.message)
  const isShown = (number: Item): boolean => items.some((each) => each.item === number && each.isShown)
  // The question itself names what it asks about.
  const raised = dialogue.raised.filter((each) => each.message < probe.message && each.title !== title)
  const titles = raised.map((each) => each.title)
  return {
    tokens: size,
    toolTokens: tokens.countTools(projection.tools),
    items,
    raised: { found: countTitles(texts, titles), n: titles.length },
    isFunctionComplete: isSettled ? numbers.every(isShown) : null,
    contests,
    trail: measureTrail(probe, dialogue, projection.messages),
  }
}

async function measureItem(item: Item, texts: readonly string[], input: ToolsInput): Promise<ItemResult> {
  const answers = await askTools(item.subject, input)
  const isShown = holdsItem(texts, item)
  const wasWrong = item.wrong !== undefined
  return {
    item,
    isShown,
    isReached: isShown || answers.some((answer) => holdsItem([answer], item)),
    isStale: wasWrong ? showsStale(texts, item) : null,
    isCurrent: wasWrong ? showsCurrent(texts, item) : null,
    isFlagged: [texts, answers].some((each) => flagsConflict(each, item.subject, [item.value])),
  }
}

async function measureContest(
  contest: Contest,
  texts: readonly string[],
  input: ToolsInput,
): Promise<ContestResult> {
  const { subject, values } = contest
  const isFlagged = flagsConflict(texts, subject, values)
  const answers = await askTools(subject, input)
  const isFlaggedWithTools = isFlagged || answers.some((answer) => flagsConflict([answer], subject, values))
  return { contest, isFlagged, isFlaggedWithTools }
}

function measureTrail({ message }: Probe, dialogue: Dialogue, prompt: readonly Message[]): Trail {
  const before = dialogue.changes.filter((change) => change.message < message)
  const changed = new Set(before.map(({ file }) => file))
  const presented = changedFiles(prompt, new Set(dialogue.files))
  const right = [...presented].filter((file) => changed.has(file)).length
  return { changed: changed.size, presented: presented.size, right }
}
