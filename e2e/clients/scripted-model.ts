/** The answer of a scripted model to one request: a text, a command for the client's shell, or a task for a sub-agent. */
export type Step =
  | { readonly text: string }
  | { readonly command: string }
  | { readonly task: string }
  /** A tool of the engine, which the client never sees. */
  | { readonly grep: string }

/** The source of a request: the conversation itself, or something that a client asks beside it. */
export type Asker = 'main' | 'sub-agent' | 'title' | 'compaction'

/** A step, or what returns one and makes something happen at that moment. */
export type Script = readonly (Step | (() => Step))[]

/** A model of few words, in front of the mock server of a protocol. */
export interface ScriptedModel {
  /** Begins another script. */
  play(main: Script, subAgent?: Script): void
  next(asker: Asker): Step
  /** Requests so far, by who asked. */
  readonly asked: Readonly<Record<Asker, number>>
}

const SUMMARY = 'The user asked for steps, and some of them are done.'

export function createScriptedModel(): ScriptedModel {
  const asked = { main: 0, 'sub-agent': 0, title: 0, compaction: 0 }
  let scripts: Record<'main' | 'sub-agent', (Step | (() => Step))[]> = { main: [], 'sub-agent': [] }
  return {
    asked,
    play(main, subAgent = []) {
      scripts = { main: [...main], 'sub-agent': [...subAgent] }
    },
    next(asker) {
      asked[asker]++
      if (asker === 'title') return { text: 'Steps' }
      if (asker === 'compaction')
        return { text: `<analysis>Steps.</analysis>\n<summary>${SUMMARY}</summary>` }
      const step = scripts[asker].shift() ?? { text: 'There is nothing more to do.' }
      return typeof step === 'function' ? step() : step
    },
  }
}
