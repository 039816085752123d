import {
  countMessages,
  type Message,
  messageText,
  sliceCharacters,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { callArguments, peerArm } from './peer-arm.ts'

/** Files that Claude Code reads again after a compaction, and characters of each: 5,000 tokens. */
const FILES = { most: 5, characters: 20_000 }

/** The sections that Claude Code 2.1 asks for. */
const SECTIONS = [
  'Primary Request and Intent',
  'Key Technical Concepts',
  'Files and Code Sections (with code where it matters, and why each file matters)',
  'Errors and fixes (with what the user said of them)',
  'Problem Solving',
  'All user messages (each one that is not a tool result)',
  'Pending Tasks',
  'Current Work (precisely what was done last, with file names and code)',
  'Optional Next Step (only if it follows from the last request, with a quote of it)',
]

/** Claude Code's compaction: one summary in its sections replaces everything, and the files read last are read again. */
export const claudeCodeCompaction = peerArm(
  {
    name: 'claude-code',
    description:
      "Claude Code's compaction with our words for its prompt: at the budget, one summary in nine sections and the five files read last replace the conversation",
  },
  ({ budget, tokens, model }) => {
    let from = 0
    let earlier: readonly Message[] = []
    return async (transcript, head) => {
      from = Math.max(from, head.length)
      const shown = (end?: number) => [...head, ...earlier, ...transcript.slice(from, end)]
      const isNewQuestion = transcript.at(-1)?.role === 'user'
      const end = isNewQuestion ? transcript.length - 1 : transcript.length
      if (countMessages(tokens, shown()) <= budget || end <= from)
        return { messages: shown(), compacted: false }
      const { text } = await model.complete({ prompt: requestFor(shown(end)) })
      from = end
      earlier = [{ role: 'user', content: continued(text, lastFiles(transcript.slice(0, end))) }]
      return { messages: shown(), compacted: true }
    }
  },
)

function requestFor(messages: readonly Message[]): string {
  return [
    messages.map(serialized).join('\n\n'),
    '---',
    'The conversation above is close to the end of the context window. ' +
      'Write a detailed summary of it, so that the work can go on from the summary alone. ' +
      'Follow its course from the beginning; ' +
      'pay attention to what the user asked for and how that changed, to technical decisions, code patterns, file names, code, signatures, edits and errors. ' +
      'Do not call tools.',
    `Use these sections:\n\n${SECTIONS.map((section, index) => `${index + 1}. ${section}`).join('\n')}`,
  ].join('\n\n')
}

function serialized(message: Message): string {
  const calls = toolCallsOf(message).map((call) => `[calls ${toolCallName(call)} ${toolCallInput(call)}]`)
  return [`${message.role.toUpperCase()}: ${messageText(message)}`, ...calls].join('\n')
}

const continued = (summary: string, files: readonly string[]): string =>
  [
    'This session continues a conversation that ran out of context. Its summary:',
    summary,
    ...files,
    'Go on from where it stopped.',
  ].join('\n\n')

/** The newest result of each file that a tool `read` or `Read` has read. */
function lastFiles(transcript: readonly Message[]): string[] {
  const paths = new Map<string, string>()
  const files = new Map<string, string>()
  for (const message of transcript) {
    for (const call of toolCallsOf(message)) {
      const { path, file_path: own = path } = callArguments(call)
      if (toolCallName(call).toLowerCase() === 'read' && typeof own === 'string') paths.set(call.id, own)
    }
    const path = message.role === 'tool' ? paths.get(message.tool_call_id) : undefined
    if (path === undefined) continue
    files.delete(path)
    files.set(path, messageText(message))
  }
  return [...files]
    .slice(-FILES.most)
    .map(([path, text]) => `Read again: ${path}\n${sliceCharacters(text, 0, FILES.characters)}`)
}
