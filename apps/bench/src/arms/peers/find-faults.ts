import { checkProjection, type Message, type Violation } from '@palimpsest/core'

/**
 * What is wrong with a peer's projection, as codes for its warnings, each once: `invalid-projection` for a sequence that
 * providers refuse (a result without its call, a call without its result), `system-prompt-lost` and `user-message-lost`
 * for what the model needs to answer at all. Two turns of one role in a row are not counted: most providers take them.
 */
export function findFaults(projection: readonly Message[], transcript: readonly Message[]): string[] {
  const codes = checkProjection(projection, transcript, { inFlight: true }).flatMap(faultOf)
  return [...new Set(codes)].sort()
}

function faultOf({ law, code }: Violation): string[] {
  if (code === 'ADJACENT_TURNS') return []
  if (law === 3) return ['system-prompt-lost']
  return [law === 4 ? 'user-message-lost' : 'invalid-projection']
}
