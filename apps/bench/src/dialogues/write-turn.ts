import type { Message, ToolCall } from '@palimpsest/core'
import data from '../../data/dialogues.json' with { type: 'json' }
import { functionCall, numbered } from '../workload/conversation.ts'
import type { Random, Vocabulary } from '../workload/vocabulary.ts'
import { fillIn } from './items.ts'
import { isAssistants, type PlannedProbe, type PlannedTurn, type Saying } from './topics.ts'

interface TurnInput {
  readonly random: Random
  readonly vocabulary: Vocabulary
  readonly workspace: Workspace
  /** Tokens of the turn, about. */
  readonly tokensOfTurn: number
  /** Index of the user's message: makes call ids unique. */
  readonly number: number
}

/** Tokens of a word of the vocabulary, about. */
const TOKENS_OF_WORD = 1.45
/** Where the tokens of a turn are: tool results, and the answer's code. */
const RESULT_SHARE = 0.65
const ANSWER_SHARE = 0.25
/** No result is longer, so that a small window holds a whole round of calls. */
const RESULT_MAX_WORDS = 600
/** Share of statements that an answer repeats in its code. */
const ECHO_SHARE = 0.3

export const systemPrompt = (vocabulary: Vocabulary): Message => ({
  role: 'system',
  content: `You are a coding agent in a Python repository. Answer from what the user told you. ${vocabulary.words(200)}`,
})

export function userText(turn: PlannedTurn, { random, vocabulary, tokensOfTurn }: TurnInput): string {
  if (turn.probe !== undefined) return probeText(turn.probe, random)
  const parts = [
    ...(turn.accepted.length > 0
      ? [random.pick(['Yes, do that.', 'Agreed.', 'Good, go ahead with that.', 'ok'])]
      : []),
    ...turn.introduced.map(
      ({ title, names: [path, className, method, helper] }) =>
        `Let's work on the ${title}: \`${method}\` in \`${path}\`, on the class \`${className}\`, with a helper \`${helper}\`.`,
    ),
    ...turn.said.filter((saying) => !isAssistants(saying)).map((saying) => userSentence(saying, random)),
    ...turn.asides.map((title) => fillIn(random.pick(data.asides), { title })),
    ...(random.next() < 0.5 ? [random.pick(data.chatter)] : []),
  ]
  if (random.next() < 0.25) {
    const words = Math.round((tokensOfTurn * (1 - RESULT_SHARE - ANSWER_SHARE) * 4) / TOKENS_OF_WORD)
    parts.push(`\n\n\`\`\`\n${lines(vocabulary, Math.min(words, RESULT_MAX_WORDS))}\n\`\`\``)
  }
  return parts.length > 0 ? parts.join(' ') : random.pick(data.chatter)
}

function userSentence(saying: Saying, random: Random): string {
  const { item, as } = saying
  const sentence = item.say(spokenValue(saying))
  if (as !== 'corrected') return sentence
  return random.pick([
    `Correction: ${sentence} Not ${item.wrong}.`,
    `Actually, forget ${item.wrong}. ${sentence}`,
    `I was wrong about that. ${sentence}`,
  ])
}

function spokenValue({ item, as }: Saying): string {
  if (as === 'wrong') return item.wrong ?? item.value
  return as === 'rival' || as === 'changed' ? (item.rival?.value ?? item.value) : item.value
}

function probeText({ topic: { title }, question, decoy }: PlannedProbe, random: Random): string {
  const text =
    question === undefined
      ? random.pick([
          `Please write the final version of the ${title} now, with everything that I told you about it.`,
          `Before we merge the ${title}: list all that we settled about it.`,
        ])
      : `Remind me of the ${title}: what did we say about the ${question.subject[1]}? And please check the rest of it against what I told you.`
  return `${text} Did we ever settle its ${decoy.subject[1]}?`
}

/** The calls of a turn with their results: as many rounds as its tokens need. `onChange` gets what a round's calls change. */
export function toolRounds(
  { topic }: PlannedTurn,
  { random, vocabulary, workspace, tokensOfTurn, number }: TurnInput,
  onChange: (paths: readonly string[], message: number) => void,
): Message[] {
  const messages: Message[] = []
  let left = Math.round((tokensOfTurn * RESULT_SHARE) / TOKENS_OF_WORD)
  for (let round = 0; left > 0; round++) {
    const calls: ToolCall[] = []
    const results: Message[] = []
    const changed: string[] = []
    for (let index = random.int(1, 2); index > 0 && left > 0; index--) {
      const words = Math.min(left, random.int(RESULT_MAX_WORDS / 3, RESULT_MAX_WORDS))
      left -= words
      const id = `c${number}-${round}-${index}`
      const call = workspace.call(topic?.names[0], (count) => lines(vocabulary, count))
      changed.push(...call.changed)
      calls.push(functionCall(id, call.name, call.arguments))
      results.push({ role: 'tool', tool_call_id: id, content: `${call.path}\n${lines(vocabulary, words)}` })
    }
    // The user's message stands before the first round.
    onChange(changed, number + 1 + messages.length)
    messages.push({ role: 'assistant', content: null, tool_calls: calls }, ...results)
  }
  return messages
}

/** Repeats values only in its code, right after they were said. Its own are proposals, and values changed unasked. */
export function answerTo(turn: PlannedTurn, { random, vocabulary, tokensOfTurn }: TurnInput): string {
  const echoes = turn.said
    .filter((saying) => !isAssistants(saying) && random.next() < ECHO_SHARE)
    .map((saying) => {
      const constant = saying.item.subject.join('_').replace(/\W/g, '_').toUpperCase()
      return `${constant} = '${spokenValue(saying)}'`
    })
  const words = Math.round((tokensOfTurn * ANSWER_SHARE) / TOKENS_OF_WORD)
  const own = turn.said.filter(isAssistants).map((saying) => {
    const sentence = saying.item.say(spokenValue(saying))
    return saying.as === 'proposed' ? `I suggest this: ${sentence}` : `This is how I built it: ${sentence}`
  })
  return [
    turn.probe === undefined
      ? 'Done, here is what I have now.'
      : 'It is as you told me; the details are in the code.',
    `\`\`\`python\n${[...echoes, lines(vocabulary, words)].join('\n')}\n\`\`\``,
    ...own,
  ].join('\n\n')
}

const lines = (vocabulary: Vocabulary, words: number): string => numbered(vocabulary, words).join('\n')

interface PlannedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
  readonly path: string
  /** Paths that are not afterwards what they were before. */
  readonly changed: readonly string[]
}

type Workspace = ReturnType<typeof createWorkspace>

/** Files at the beginning; most are only ever looked at. */
const FILES = 60
const CHANGE_SHARE = 0.3
const CHANGES = { create: 0.15, remove: 0.08, rename: 0.08 } as const
const ACTIVE_FILES = 14
const EDIT_WORDS = [20, 120] as const

export function createWorkspace(random: Random, vocabulary: Vocabulary) {
  const known = new Set<string>()
  const named = new Set<string>()
  const fresh = (): string => {
    for (;;) {
      const path = vocabulary.path()
      if (known.has(fileName(path))) continue
      known.add(fileName(path))
      return path
    }
  }
  const paths = Array.from({ length: FILES }, fresh)
  const call = (name: string, args: Readonly<Record<string, string>>, ...changed: string[]): PlannedCall => {
    const path = changed.at(-1) ?? args.path ?? ''
    for (const each of [path, ...changed]) named.add(fileName(each))
    return { name, arguments: args, path, changed }
  }
  const look = (topicPath: string | undefined): PlannedCall => {
    const path = topicPath !== undefined && random.next() < 0.5 ? topicPath : random.pick(paths)
    return random.pick([
      () => call('read_file', { path }),
      () => call('search', { query: vocabulary.identifier(), path }),
    ])()
  }
  return {
    /** Names of all files that calls have named, without their folders. */
    files: (): readonly string[] => [...named],
    call(topicPath: string | undefined, words: (count: number) => string): PlannedCall {
      if (random.next() >= CHANGE_SHARE) return look(topicPath)
      const active = random.int(0, ACTIVE_FILES - 1)
      const path = paths[active] ?? ''
      const text = words(random.int(...EDIT_WORDS))
      const kind = random.next()
      if (kind < CHANGES.create) {
        const made = fresh()
        paths.push(made)
        return call('write_file', { path: made, content: text }, made)
      }
      if (kind < CHANGES.create + CHANGES.remove) {
        paths[active] = fresh()
        return call('bash', { command: `rm ${path}` }, path)
      }
      if (kind < CHANGES.create + CHANGES.remove + CHANGES.rename) {
        const renamed = fresh()
        paths[active] = renamed
        return call('bash', { command: `git mv ${path} ${renamed}` }, path, renamed)
      }
      const edited = topicPath !== undefined && random.next() < 0.25 ? topicPath : path
      return call('edit_file', { path: edited, old_string: words(8), new_string: text }, edited)
    },
  }
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
