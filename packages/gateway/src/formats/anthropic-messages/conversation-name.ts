import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import { withoutTimes } from '../../recognition/prefix-hashes.ts'
import { nameInSession } from '../session-name.ts'
import { type Block, blocksOf } from './blocks.ts'

/** The header with which Claude Code names its session. */
export const SESSION = 'x-claude-code-session-id'
const AGENT = 'x-claude-code-agent-id'
/** The beginnings of Claude Code's own requests: for a summary of the conversation, and for what the user may say next. */
const OWN_REQUESTS = ['CRITICAL: Respond with TEXT ONLY', '[SUGGESTION MODE']

/**
 * The name of a conversation whose client names its session. In one session there are several conversations: those of
 * sub-agents, requests for titles with another system prompt, and those for a summary or a suggestion, which are the main
 * list and one message more. Each is one of its own. Undefined when there is no such name.
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
    ownRequest(body.messages),
  ]
  return nameInSession(session, parts)
}

/** A user's id says nothing of a conversation, unless it is that of Claude Code. */
function sessionOf(user: unknown): string | undefined {
  if (typeof user !== 'string') return undefined
  const { session_id: session } = looseOf(parseJson(user))
  if (typeof session === 'string' && session !== '') return session
  return /^user_.*_session_((?:(?!_session_)[\w-])+)$/.exec(user)?.[1]
}

/** The beginning of the client's own request; undefined for one of the user. */
function ownRequest(messages: unknown): string | undefined {
  const list = Array.isArray(messages) ? messages.filter(isObject) : []
  const blocks = blocksOf(list.findLast(({ role }) => role === 'user')?.content)
  return OWN_REQUESTS.find((beginning) => blocks.some(({ text }) => String(text).startsWith(beginning)))
}
