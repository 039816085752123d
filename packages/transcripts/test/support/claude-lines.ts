let serial = 0

/** Makes lines of a Claude Code session that hang on the line before, unless told otherwise. */
export function conversation() {
  let last: string | null = null
  const link = (uuid: string, parentUuid = last) => {
    last = uuid
    return { uuid, parentUuid, isSidechain: false, sessionId: 's' }
  }
  return {
    user: (content: unknown, uuid = `u${serial++}`, parent?: string | null) => ({
      type: 'user',
      ...link(uuid, parent),
      message: { role: 'user', content },
    }),
    assistant: (id: string, content: unknown[], uuid = `a${serial++}`, parent?: string | null) => ({
      type: 'assistant',
      ...link(uuid, parent),
      requestId: `req-${id}`,
      message: { id, role: 'assistant', content },
    }),
  }
}
export const text = (text: string) => ({ type: 'text', text })
export const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
export const toolResult = (id: string, content = id) => ({ type: 'tool_result', tool_use_id: id, content })
