import {
  type CompletionModel,
  checkProjection,
  countMessages,
  isInstruction,
  type Message,
  ModelError,
  type ToolCall,
  toolCallInput,
  toolCallName,
  type Violation,
} from '@palimpsest/core'
import { type Arm, type OpenInput, type Shown, toollessArm } from '../arm.ts'

type ShowInRoom = (
  transcript: readonly Message[],
  head: readonly Message[],
  room: number,
) => Promise<Unwarned> | Unwarned

type Unwarned = Omit<Shown, 'warnings'>

export type PeerInput = Required<OpenInput>

export function peerArm(
  about: Pick<Arm, 'name' | 'description'>,
  open: (input: PeerInput) => ShowInRoom,
): Arm {
  return toollessArm({ ...about, kind: 'peer' }, (input) => {
    const { model, takeFailure } = watchFailures(input.model ?? failingModel)
    const show = open({ ...input, model })
    return async (transcript) => {
      const head = transcript.filter(isInstruction)
      const room = Math.max(1, input.budget - countMessages(input.tokens, head))
      const shown = await show(transcript, head, room)
      const failed = takeFailure() ? ['summariser-failed'] : []
      return { ...shown, warnings: [...failed, ...findFaults(shown.messages, transcript)] }
    }
  })
}

export const failingModel: CompletionModel = {
  name: 'fails',
  complete: () => Promise.reject(new ModelError('network', 'the model is not available')),
}

function watchFailures(model: CompletionModel) {
  let failed = false
  const watched: CompletionModel = {
    ...model,
    async complete(call) {
      failed = true
      const answer = await model.complete(call)
      failed = false
      return answer
    },
  }
  return {
    model: watched,
    takeFailure(): boolean {
      const result = failed
      failed = false
      return result
    },
  }
}

export function findFaults(projection: readonly Message[], transcript: readonly Message[]): string[] {
  const codes = checkProjection(projection, transcript, { inFlight: true }).flatMap(faultOf)
  return [...new Set(codes)].sort()
}

function faultOf({ invariant, code }: Violation): string[] {
  if (code === 'ADJACENT_TURNS') return []
  if (invariant === 3) return ['system-prompt-lost']
  return [invariant === 4 ? 'user-message-lost' : 'invalid-projection']
}

export type PackageManifest = { readonly name: string; readonly version: string; readonly license: string }

export function packageLabel({ name, version, license }: PackageManifest): string {
  return `${name} ${version} (${license})`
}

export function callArguments(call: ToolCall): Record<string, unknown> {
  const input = toolCallInput(call)
  if (call.type === 'custom') return { input }
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  return { input }
}

export type ToolNames = Map<string, string>

export function rememberNames(names: ToolNames, calls: readonly ToolCall[]): void {
  for (const call of calls) names.set(call.id, toolCallName(call))
}
