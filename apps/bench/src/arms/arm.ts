import type {
  AssistantMessage,
  Clock,
  CompletionModel,
  Message,
  TokenCounter,
  ToolSchema,
} from '@palimpsest/core'

/** Something that decides what a model is shown of a conversation: one of our engines, a peer, a floor or a ceiling. */
export interface Arm {
  readonly name: string
  /** One sentence for the report, with the settings. */
  readonly description: string
  /** `engine`: one of ours. `peer`: a package of others. `bound`: what no engine is better or worse than, or the tail. */
  readonly kind: 'engine' | 'peer' | 'bound'
  open(input: OpenInput): Promise<OpenedArm> | OpenedArm
}

export interface OpenInput {
  readonly sessionId: string
  /** Tokens that the messages of a prompt may take. */
  readonly budget: number
  readonly tokens: TokenCounter
  /** Writes summaries. Without one, engines do without, and a summary of a peer fails. */
  readonly model?: CompletionModel
}

export interface OpenedArm {
  /** The prompt for a transcript. Transcripts of later calls begin with those of earlier ones. */
  project(transcript: readonly Message[]): Promise<Projection>
  answered(message: AssistantMessage): Promise<void>
  end(): Promise<void>
}

export interface Projection {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly compacted: boolean
  /** Tokens that the arm itself would send: what is above the budget is cut from `messages`. Default: those of `messages`. */
  readonly needed?: number
  readonly warnings: readonly string[]
}

/** Makes a prompt of a transcript. Called once a request, with transcripts that only grow. */
export type Show = (transcript: readonly Message[]) => Promise<Shown> | Shown

export type Shown = Omit<Projection, 'tools'>

/** An arm without tools that learns nothing from the model's answers but what the next transcript says. */
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

/** Makes a prompt from nothing but the transcript. */
type Project = (transcript: readonly Message[], input: ProjectInput) => readonly Message[]

export function projectionArm(about: Pick<Arm, 'name' | 'description' | 'kind'>, project: Project): Arm {
  return toollessArm(about, (input) => (transcript) => {
    const messages = project(transcript, input)
    // Whole again means that nothing was left out: no compaction.
    return { messages, compacted: messages.length < transcript.length, warnings: [] }
  })
}

const START = 1_767_225_600_000

/** A clock that moves a millisecond a reading, so that runs are the same. */
export function fixedClock(): Clock {
  let now = START
  return { now: () => now++ }
}

/** A counter that learns nothing. Arms share one: what the usage of one arm taught it must not change the counts of the next. */
export function uncalibrated(tokens: TokenCounter): TokenCounter {
  return {
    countText: (text) => tokens.countText(text),
    countMessage: (message) => tokens.countMessage(message),
    countTools: (tools) => tokens.countTools(tools),
  }
}
