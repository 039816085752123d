import type {
  AssistantMessage,
  Clock,
  CompletionModel,
  Message,
  TokenCounter,
  ToolSchema,
} from '@palimpsest/core'

export interface Arm {
  readonly name: string
  readonly description: string
  /** `engine`: ours. `peer`: another project's package. `bound`: a lower or upper bound, or the tail. */
  readonly kind: 'engine' | 'peer' | 'bound'
  open(input: OpenInput): Promise<OpenedArm> | OpenedArm
}

export interface OpenInput {
  readonly sessionId: string
  readonly budget: number
  readonly tokens: TokenCounter
  /** Without a model, engines work without one, and a peer's summary fails. */
  readonly model?: CompletionModel
}

export interface OpenedArm {
  project(transcript: readonly Message[]): Promise<Projection>
  answered(message: AssistantMessage): Promise<void>
  end(): Promise<void>
}

export interface Projection {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly compacted: boolean
  /** Tokens that the arm itself would send, before `messages` is cut to the budget. Default: those of `messages`. */
  readonly needed?: number
  readonly warnings: readonly string[]
}

export type Show = (transcript: readonly Message[]) => Promise<Shown> | Shown

export type Shown = Omit<Projection, 'tools'>

/** An arm without tools that sees the model's answers only in the next transcript. */
export function toollessArm(
  { name, description, kind }: Pick<Arm, 'name' | 'description' | 'kind'>,
  open: (input: OpenInput) => Show,
): Arm {
  return {
    name,
    description,
    kind,
    open(input) {
      const show = open(input)
      return {
        project: async (transcript) => ({ ...(await show(transcript)), tools: [] }),
        async answered() {},
        async end() {},
      }
    },
  }
}

export type ProjectInput = { readonly budget: number; readonly tokens: TokenCounter }

type Project = (transcript: readonly Message[], input: ProjectInput) => readonly Message[]

export function projectionArm(about: Pick<Arm, 'name' | 'description' | 'kind'>, project: Project): Arm {
  return toollessArm(about, (input) => (transcript) => {
    const messages = project(transcript, input)
    // A complete prompt means no compaction.
    return { messages, compacted: messages.length < transcript.length, warnings: [] }
  })
}

const START = 1_767_225_600_000

/** Advances a millisecond per reading, so that runs are reproducible. */
export function fixedClock(): Clock {
  let now = START
  return { now: () => now++ }
}

/** Arms share a counter, so it must not learn from their usage. */
export function uncalibrated(tokens: TokenCounter): TokenCounter {
  return {
    countText: (text) => tokens.countText(text),
    countMessage: (message) => tokens.countMessage(message),
    countTools: (tools) => tokens.countTools(tools),
  }
}
