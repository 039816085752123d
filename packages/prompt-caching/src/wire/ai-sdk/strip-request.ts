import { listOf } from '../fields.ts'
import { mapShared } from '../map-shared.ts'
import { type AiSdkMessage, type AiSdkRequest, fieldsOf } from './ai-sdk-request.ts'
import { stripInstructions } from './instructions.ts'
import { withoutMarker, withoutPartMarkers } from './markers.ts'

/** The request without markers, wherever the SDK or a provider package would find one; itself when there is none. */
export function stripRequest<Own extends AiSdkRequest>(request: Own): Own {
  const { instructions, system, tools, messages } = request
  const changed: { -readonly [Key in keyof AiSdkRequest]?: AiSdkRequest[Key] } = {}
  if (instructions !== undefined) changed.instructions = stripInstructions(instructions)
  if (system !== undefined) changed.system = stripInstructions(system)
  if (Array.isArray(messages)) changed.messages = mapShared(listOf(messages), stripMessage)
  for (const [name, tool] of Object.entries(tools ?? {})) {
    const bare = withoutMarker(tool)
    if (bare !== tool) changed.tools = { ...(changed.tools ?? tools), [name]: bare }
  }
  const bare = withoutMarker(request)
  const isSame = Object.entries(changed).every(([key, value]) => value === request[key as keyof AiSdkRequest])
  return isSame ? bare : { ...bare, ...changed }
}

function stripMessage(message: AiSdkMessage): AiSdkMessage {
  const bare = withoutMarker(message)
  const { content } = fieldsOf(message)
  if (!Array.isArray(content)) return bare
  const parts = mapShared(content, withoutPartMarkers)
  return parts === content ? bare : { ...bare, content: parts }
}
