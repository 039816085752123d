/** A tool that an engine or a host offers to the model, in the wire shape of OpenAI Chat Completions. */
export interface ToolSchema {
  readonly type: 'function'
  readonly function: FlatToolSchema
}

/** A tool without the frame of the wire shape, which an engine's author may leave away. */
export interface FlatToolSchema {
  readonly name: string
  readonly description?: string
  readonly parameters?: Record<string, unknown>
}
