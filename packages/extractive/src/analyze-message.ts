import { type Message, messageText, type ToolCall, toolCallsOf } from '@palimpsest/core'
import { ownWords, readInstruction } from '@palimpsest/core/summarizer'
import { type NamedLine, namedLines } from './excerpts/named-lines.ts'
import { questionOfReply } from './excerpts/question-of-reply.ts'
import { extractIdentifiers } from './identifiers/extract-identifiers.ts'
import type { Identifier } from './identifiers/identifier.ts'
import { oneLine } from './text/one-line.ts'
import { type FileOperation, fileTouches } from './tools/file-touches.ts'
import { readToolCall } from './tools/tool-arguments.ts'

/** The parts of one message that a summary needs. Made once in the life of the message object; small against its text. */
export interface MessageDigest {
  /** Of the text and of the arguments of calls, in order of first occurrence, each once. */
  readonly identifiers: readonly Identifier[]
  /** A user's own words, or an instruction, on one line. Empty for other roles. */
  readonly said: string
  /** The end of the assistant's message that a user's message replies to, where the reply says little alone. */
  readonly question: string
  /** True for identifiers that a tool's output mentions. */
  readonly isOutput: boolean
  /** Lines of an assistant's message and of its calls that relate names. */
  readonly lines: readonly NamedLine[]
  /** Files that the calls of an assistant's message change, unless they fail. */
  readonly changes: readonly FileChange[]
}

/** A file that a call changes. */
export interface FileChange {
  readonly call: ToolCall
  readonly path: string
  readonly by: 'changed' | 'deleted'
}

const CHANGES: { readonly [Operation in FileOperation]?: FileChange['by'] } = {
  edited: 'changed',
  created: 'changed',
  deleted: 'deleted',
}

const NOTHING: MessageDigest = {
  identifiers: [],
  said: '',
  question: '',
  isOutput: false,
  lines: [],
  changes: [],
}
/** Characters of a user's message that may be quoted. */
const MOST_OF_USER = 20_000

const digests = new WeakMap<object, MessageDigest>()

/**
 * The digest of a message, computed once in the life of the message object. Linear in the length of its text, of which at
 * most 512 Ki characters are read. Call it when a message comes in, and a later summary only ranks what was found. Never
 * throws: a message of a wrong type gives an empty digest.
 *
 * @param answered For a user's message, the assistant's message before it.
 */
export function analyzeMessage(message: Message, answered?: Message): MessageDigest {
  if (typeof message !== 'object' || message === null) return NOTHING
  const known = digests.get(message)
  if (known !== undefined) return known
  const digest = digestMessage(message, answered)
  digests.set(message, digest)
  return digest
}

function digestMessage(message: Message, answered: Message | undefined): MessageDigest {
  const text = messageText(message)
  switch (message.role) {
    case 'user': {
      const said = (readInstruction(message) ?? ownWords(text)).slice(0, MOST_OF_USER).trim()
      const question = questionOfReply(said, answered)
      return { ...NOTHING, identifiers: extractIdentifiers(text), said: oneLine(said), question }
    }
    case 'assistant': {
      const calls = toolCallsOf(message).map((call) => ({ call, args: readToolCall(call) }))
      const passed = calls.flatMap(({ args }) => args.texts)
      const identifiers = extractIdentifiers([text, ...passed].join('\n'))
      const changes = calls.flatMap(({ call, args }) =>
        fileTouches(call, args).flatMap(({ path, operation }): FileChange[] => {
          const by = CHANGES[operation]
          return by === undefined ? [] : [{ call, path, by }]
        }),
      )
      return { ...NOTHING, identifiers, lines: namedLines(text, passed), changes }
    }
    case 'tool':
      return {
        ...NOTHING,
        identifiers: extractIdentifiers(text).filter(isName),
        isOutput: true,
      }
    case 'system':
    case 'developer':
      return { ...NOTHING, said: oneLine(text.slice(0, MOST_OF_USER).trim()) }
    default:
      return NOTHING
  }
}

/** Numbers, colours and ids that only output mentions are no names: later messages do not refer to them. */
function isName({ kind }: Identifier): boolean {
  return kind !== 'number' && kind !== 'hash'
}
