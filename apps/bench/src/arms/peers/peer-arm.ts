import { checkProjection, type Message, type Violation } from '@palimpsest/core'
import type { Arm, OpenInput } from '../arm.ts'
import { type Show, toollessArm } from '../projection-arm.ts'

/** Lengths of a summary by the offline summariser, as our own engines have them: part of the budget, and tokens. */
export const SUMMARY_SHARE = 0.3
export const SUMMARY_MAX = 10_000

export function peerArm(about: Pick<Arm, 'name' | 'description'>, open: (input: OpenInput) => Show): Arm {
  return toollessArm({ ...about, kind: 'peer' }, (input) => {
    const show = open(input)
    return async (transcript) => {
      const shown = await show(transcript)
      return { ...shown, warnings: [...shown.warnings, ...findFaults(shown.messages, transcript)] }
    }
  })
}

/**
 * Codes for what is wrong with a peer's projection. Two turns of one role in a row are not counted: most providers take them.
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

export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license: string
}

export function packageLabel({ name, version, license }: PackageManifest): string {
  return `${name} ${version} (${license})`
}
