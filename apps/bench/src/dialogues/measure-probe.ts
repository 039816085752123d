import { type Message, messageText, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'
import type { OpenedArm, Search } from '../arms/arm.ts'
import type { PlayedRequest } from '../arms/play-arm.ts'
import {
  type Contest,
  type Dialogue,
  type Item,
  openContests,
  type Probe,
  type Subject,
  settledItems,
} from './dialogue.ts'
import {
  countTitles,
  holdsItem,
  isAbout,
  passages,
  promptTexts,
  readableText,
  showsCurrent,
  showsStale,
} from './presence.ts'

export type ProbeResult = Awaited<ReturnType<typeof measureProbe>>

export type ItemResult = ReturnType<typeof measureItem>

export type MeasureInput = { readonly dialogue: Dialogue; readonly searches: readonly Search[] }

export async function measureProbe(
  probe: Probe,
  { projection, opened }: Pick<PlayedRequest, 'projection' | 'opened'>,
  { dialogue, searches }: MeasureInput,
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
    items,
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
    isReached: isShown || answers.some((answer) => holdsItem([answer], item)),
    /** The corrected value is shown without the one that holds beside it; null for an item that was never wrong. */
    isStale: wasWrong ? showsStale(texts, item) : null,
    /** The value that holds is what the prompt says last about the subject; null for an item that was never wrong. */
    isCurrent: wasWrong ? showsCurrent(texts, item) : null,
  }
}

/** Whether the prompt, or the answer of one call, says that two values are in conflict. */
function measureContest({ subject, values }: Contest, texts: readonly string[], answers: readonly string[]) {
  const places = [texts, ...answers.map((answer) => [answer])]
  return { isFlaggedWithTools: places.some((each) => flagsConflict(each, subject, values)) }
}

/** Files that calls changed before a question, those that the prompt presents as changed, and those that are both. */
function measureTrail({ message }: Probe, dialogue: Dialogue, prompt: readonly Message[]) {
  const before = dialogue.changes.filter((change) => change.message < message)
  const changed = new Set(before.map(({ file }) => file))
  const presented = changedFiles(prompt, new Set(dialogue.files))
  const right = [...presented].filter((file) => changed.has(file)).length
  return { changed: changed.size, presented: presented.size, right }
}

/** Looks for the end of a name first, which is much rarer than a word. */
const FILE = /(?<=([\w-]+))\.(?:ts|py)\b/g
/** Words for what happens to a file, as people, tools and ledgers write them. */
const OPERATION =
  /\b(?:(edit|writ|wrote|creat|delet|remov|renam|mov|mv\b|rm\b|chang|updat|modif|patch)|read|view|search|look|list|open|grep|inspect)\w*/g
/** Characters between a file's name and the word. */
const NEAR = 80

/**
 * Files that a prompt presents as changed: by the nearest word for an operation on the line, or by the tool or command of a
 * call.
 */
export function changedFiles(messages: readonly Message[], files: ReadonlySet<string>): Set<string> {
  const changed = new Set<string>()
  const read = (text: string, tool = ''): void => {
    const [byTool] = tool.matchAll(OPERATION)
    for (const { index, 0: ending, 1: stem = '' } of text.matchAll(FILE)) {
      const name = stem + ending
      if (!files.has(name) || changed.has(name)) continue
      const isChange =
        byTool === undefined
          ? isChangeNear(text, index - stem.length, index + ending.length)
          : byTool[1] !== undefined
      if (isChange) changed.add(name)
    }
  }
  for (const message of messages) {
    read(messageText(message))
    for (const call of toolCallsOf(message)) read(toolCallInput(call), toolCallName(call))
  }
  return changed
}

/** Whether the nearest word for an operation on the same line is one of change. */
function isChangeNear(text: string, start: number, end: number): boolean {
  const from = Math.max(text.lastIndexOf('\n', start) + 1, start - NEAR)
  const line = text.slice(from, end + NEAR)
  const stop = line.indexOf('\n', end - from)
  const words = [...line.slice(0, stop === -1 ? line.length : stop).matchAll(OPERATION)]
  const distance = ({ index, 0: word }: RegExpExecArray): number =>
    Math.max(start - from - (index + word.length), index - (end - from))
  const [nearest] = words.sort((a, b) => distance(a) - distance(b))
  return nearest?.[1] !== undefined
}

/** Words for two values of which it is unknown which one holds. */
const WORDS = [
  'ambigu|clarif|competing|conflict|contested|contradict|disagree|discrepan|disput|incompatib|inconsisten|mismatch',
  'unclear|undecided|unresolved|unsettled|open question|open which',
  '(?:not|never) (?:yet )?(?:been )?(?:clear|decided|resolved|settled)',
  '(?:different|two|two possible) (?:answers|values|versions)',
]
const CHOICE = String.raw`either\b.{1,160}?\bor\b`
/** The generated conversations have none of it. */
const MARK = new RegExp(String.raw`\b(?:(?:${WORDS.join('|')})\w*|${CHOICE})`, 'is')

/** Whether each value stands with its subject and a mark of conflict, in one statement and within 240 characters. */
export function flagsConflict(
  texts: readonly string[],
  subject: Subject,
  values: readonly string[],
): boolean {
  return values.every((value) =>
    texts
      .filter((text) => text.includes(value) && MARK.test(text))
      .some((text) =>
        passages(statementsOf(text), value).some(
          (passage) => MARK.test(passage.text) && isAbout(passage.text, subject),
        ),
      ),
  )
}

/** The lines of a text, each with the indented ones below it, and the objects of a JSON answer. */
function statementsOf(text: string): string[] {
  return text.split(/\n(?![ \t])|\},\s*\{/)
}
