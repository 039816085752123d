import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import { digest, withoutTimes } from '../../recognition/prefix-hashes.ts'
import { type Block, blocksOf } from './blocks.ts'

const SESSION = 'x-claude-code-session-id'
const AGENT = 'x-claude-code-agent-id'
/** The beginning of Claude Code's own request for a summary of the conversation. */
const COMPACTION = 'CRITICAL: Respond with TEXT ONLY'

/** A client's name of its session that may become a part of ours. */
const NAME = /^[\w.-]{1,100}$/

/**
 * The name of a conversation whose client names its session. In one session there are several conversations: those of
 * sub-agents, requests for titles with another system prompt, and those for a summary, which are the main list and one
 * message more. Each is one of its own. Undefined when there is no such name.
 *
 * @param prompt the blocks of the system prompt that say what is asked of the model.
 */
export function conversationName(
  body: Loose,
  headers: Headers,
  prompt: readonly Block[],
): string | undefined {
  const session = headers.get(SESSION) ?? sessionOf(looseOf(body.metadata).user_id)
  if (session === undefined) return undefined
  const parts = [
    headers.get(AGENT),
    prompt.map(({ text }) => withoutTimes(String(text))),
    Array.isArray(body.tools) && body.tools.length > 0,
    isCompaction(body.messages),
  ]
  return `${NAME.test(session) ? session : digest(session)}:${digest(JSON.stringify(parts))}`
}

/** A user's id says nothing of a conversation, unless it is that of Claude Code. */
function sessionOf(user: unknown): string | undefined {
  if (typeof user !== 'string') return undefined
  const { session_id: session } = looseOf(parseJson(user))
  if (typeof session === 'string' && session !== '') return session
  return /^user_.*_session_([\w-]+)$/.exec(user)?.[1]
}

function isCompaction(messages: unknown): boolean {
  const list = Array.isArray(messages) ? messages.filter(isObject) : []
  const last = list.findLast(({ role }) => role === 'user')
  return blocksOf(last?.content).some(({ text }) => typeof text === 'string' && text.startsWith(COMPACTION))
}
