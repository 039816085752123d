import type { Message } from '@palimpsest/core'
import type { Projection } from '../arms/arm.ts'
import { answersDecoy } from './answers-decoy.ts'
import { changedFiles } from './changed-files.ts'
import { type Contest, type Dialogue, openContests, type Probe, settledItems } from './dialogue.ts'
import { flagsConflict } from './flags-conflict.ts'
import type { ContestResult, DecoyResult, ItemResult, ProbeResult, Trail } from './played.ts'
import { countNames, lastPlace, type Passage, promptTexts, showsCurrent, showsStale } from './presence.ts'
import { ask, itemQueries, type SearchInput, searchFor } from './search-for.ts'

/** The prompt in which a question was asked, and what it is measured against. */
export interface MeasureInput extends SearchInput {
  readonly dialogue: Dialogue
  readonly projection: Projection
  /** Tokens of each of the projection's messages. */
  readonly sizes: readonly number[]
  /** Index of the first message that would fit into the budget with all behind it. */
  readonly fits: number
}

/** Asks for everything about a probe's topic. */
export async function measureProbe(probe: Probe, input: MeasureInput): Promise<ProbeResult> {
  const { dialogue, projection, sizes, fits, tokens } = input
  const { messages, tools } = projection
  const { title, names } = probe.topic
  const texts = promptTexts(messages)
  const place = createPlacing(texts, sizes)
  const items: ItemResult[] = []
  for (const item of settledItems(probe)) {
    const shown = lastPlace(texts, item)
    const queries = itemQueries(title, item.subject)
    const first = await ask(queries[0], input)
    const wasWrong = item.wrong !== undefined
    items.push({
      item,
      isEarly: item.settledAt < fits,
      isShown: shown !== undefined,
      position: shown === undefined ? null : place(shown),
      isStale: wasWrong ? showsStale(texts, item) : null,
      isCurrent: wasWrong ? showsCurrent(texts, item) : null,
      isFlagged: [texts, Object.values(first)].some((each) =>
        flagsConflict(each, item.subject, [item.value]),
      ),
      searches: await searchFor(
        queries,
        first,
        (text) => lastPlace([text], item) !== undefined,
        shown !== undefined,
        input,
      ),
    })
  }
  const contests: ContestResult[] = []
  for (const contest of openContests(probe)) contests.push(await measureContest(title, contest, texts, input))
  return {
    message: probe.message,
    title,
    tokens: sizes.reduce((sum, size) => sum + size, 0),
    toolTokens: tokens.countTools(tools),
    items,
    names: { found: countNames(texts, names), n: names.length },
    contests,
    decoy: await measureDecoy(probe, texts, input),
    trail: measureTrail(probe, dialogue, messages),
  }
}

async function measureContest(
  title: string,
  contest: Contest,
  texts: readonly string[],
  input: SearchInput,
): Promise<ContestResult> {
  const { subject, values } = contest
  const isFlagged = flagsConflict(texts, subject, values)
  const answers = Object.values(await ask(itemQueries(title, subject)[0], input))
  const isFlaggedWithTools = isFlagged || answers.some((answer) => flagsConflict([answer], subject, values))
  return { contest, isFlagged, isFlaggedWithTools }
}

async function measureDecoy(
  { topic: { title }, decoy }: Probe,
  texts: readonly string[],
  input: SearchInput,
): Promise<DecoyResult> {
  const isAnswered = answersDecoy(texts, decoy)
  const answers = Object.values(await ask(itemQueries(title, decoy.subject)[0], input))
  return { decoy, isAnswered, isAnsweredWithTools: isAnswered || answersDecoy(answers, decoy) }
}

function measureTrail({ message }: Probe, dialogue: Dialogue, prompt: readonly Message[]): Trail {
  const before = dialogue.changes.filter((change) => change.message < message)
  const changed = new Set(before.map(({ file }) => file))
  const presented = changedFiles(prompt, new Set(dialogue.files))
  const right = [...presented].filter((file) => changed.has(file)).length
  return { changed: changed.size, presented: presented.size, right }
}

/** Turns a place in a prompt's texts into a share of its tokens; within a message tokens are taken to be equally long. */
function createPlacing(texts: readonly string[], sizes: readonly number[]): (passage: Passage) => number {
  const before: number[] = []
  let all = 0
  for (const size of sizes) {
    before.push(all)
    all += size
  }
  return ({ of, at }) => ((before[of] ?? 0) + ((sizes[of] ?? 0) * at) / (texts[of]?.length ?? 1)) / all
}
