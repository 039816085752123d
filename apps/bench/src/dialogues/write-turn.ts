import type { Message, ToolCall } from '@palimpsest/core'
import type { Random } from '../workload/random.ts'
import type { Vocabulary } from '../workload/vocabulary.ts'
import type { PlannedTurn, Saying } from './plan-turns.ts'

export interface TurnInput {
  readonly random: Random
  readonly vocabulary: Vocabulary
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
/** How often an answer repeats in its code what the user just said. */
const ECHO_SHARE = 0.3

const CHATTER = [
  'Take your time.',
  'Run the suite afterwards and tell me what fails.',
  'I am in a meeting until noon, go on without me.',
  'The coffee machine is broken again, by the way.',
  'Can you also fix the typo in the heading?',
  'Show me the diff first.',
  'Why is this file so long?',
  'Would a generator be faster here?',
  'A friend of mine does all of this in spreadsheets.',
  'Please keep the answer short this time.',
  'Use grep to find other places like this one.',
  'What did the linter say?',
]

export const systemPrompt = (vocabulary: Vocabulary): Message => ({
  role: 'system',
  content: `You are a coding agent in a Python repository. Answer from what the user told you. ${vocabulary.words(200)}`,
})

/** What the user says in a turn. */
export function userText(turn: PlannedTurn, { random, vocabulary, tokensOfTurn }: TurnInput): string {
  if (turn.isProbe) return probeText(turn, random)
  const parts = [
    ...(turn.accepted.length > 0
      ? [random.pick(['Yes, do that.', 'Agreed.', 'Good, go ahead with that.', 'ok'])]
      : []),
    ...turn.introduced.map(
      ({ title, names: [path, className, method, helper] }) =>
        `Let's work on the ${title}: \`${method}\` in \`${path}\`, on the class \`${className}\`, with a helper \`${helper}\`.`,
    ),
    ...turn.said.filter(({ isProposed }) => !isProposed).map((saying) => userSentence(saying, random)),
    ...(random.next() < 0.5 ? [random.pick(CHATTER)] : []),
  ]
  if (random.next() < 0.25) {
    const words = Math.round((tokensOfTurn * (1 - RESULT_SHARE - ANSWER_SHARE) * 4) / TOKENS_OF_WORD)
    parts.push(`\n\n\`\`\`\n${lines(vocabulary, Math.min(words, RESULT_MAX_WORDS))}\n\`\`\``)
  }
  return parts.length > 0 ? parts.join(' ') : random.pick(CHATTER)
}

function userSentence({ item, isWrong, isCorrection }: Saying, random: Random): string {
  const { value, wrong = '' } = item
  if (isWrong) return item.say(wrong)
  const sentence = item.say(value)
  if (!isCorrection) return sentence
  // The last one has no word that says that something changes.
  return random.pick([
    `Correction: ${sentence} Not ${wrong}.`,
    `Actually, forget ${wrong}. ${sentence}`,
    `I was wrong about that. ${sentence}`,
    sentence,
  ])
}

function probeText({ topic, question }: PlannedTurn, random: Random): string {
  const title = topic?.title ?? ''
  if (question !== undefined)
    return `Remind me of the ${title}: what did we say about the ${question.subject.at(-1)}? And please check the rest of it against what I told you.`
  return random.pick([
    `Please write the final version of the ${title} now, with everything that I told you about it.`,
    `Before we merge the ${title}: list all that we settled about it.`,
  ])
}

/** The calls of a turn with their results: as many rounds as its tokens need. */
export function toolRounds(
  { topic }: PlannedTurn,
  { random, vocabulary, tokensOfTurn, number }: TurnInput,
): Message[] {
  const messages: Message[] = []
  let left = Math.round((tokensOfTurn * RESULT_SHARE) / TOKENS_OF_WORD)
  for (let round = 0; left > 0; round++) {
    const calls: ToolCall[] = []
    const results: Message[] = []
    for (let index = random.int(1, 2); index > 0 && left > 0; index--) {
      const words = Math.min(left, random.int(RESULT_MAX_WORDS / 3, RESULT_MAX_WORDS))
      left -= words
      const id = `c${number}-${round}-${index}`
      const path = topic !== undefined && random.next() < 0.5 ? topic.names[0] : vocabulary.path()
      const name = random.pick(['read_file', 'search', 'run'])
      calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify({ path }) } })
      results.push({ role: 'tool', tool_call_id: id, content: `${path}\n${lines(vocabulary, words)}` })
    }
    messages.push({ role: 'assistant', content: null, tool_calls: calls }, ...results)
  }
  return messages
}

/** What the assistant says at the end of a turn. It repeats values only as part of its code, and right after they were said. */
export function answerTo(turn: PlannedTurn, { random, vocabulary, tokensOfTurn }: TurnInput): string {
  const echoes = turn.said
    .filter(({ isProposed }) => !isProposed && random.next() < ECHO_SHARE)
    .map(({ item, isWrong }) => {
      const constant = item.subject.join('_').replace(/\W/g, '_').toUpperCase()
      return `${constant} = '${isWrong ? item.wrong : item.value}'`
    })
  const words = Math.round((tokensOfTurn * ANSWER_SHARE) / TOKENS_OF_WORD)
  const proposals = turn.said
    .filter(({ isProposed }) => isProposed)
    .map(({ item }) => `I suggest this: ${item.say(item.value)}`)
  return [
    turn.isProbe ? 'It is as you told me; the details are in the code.' : 'Done, here is what I have now.',
    `\`\`\`python\n${[...echoes, lines(vocabulary, words)].join('\n')}\n\`\`\``,
    ...proposals,
  ].join('\n\n')
}

function lines(vocabulary: Vocabulary, words: number): string {
  const text: string[] = []
  for (let left = words, line = 1; left > 0; left -= 12, line++)
    text.push(`${line}: ${vocabulary.words(Math.min(12, left))}`)
  return text.join('\n')
}
