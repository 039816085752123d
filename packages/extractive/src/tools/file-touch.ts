/** What a tool call did to a file. */
export type FileOperation = 'read' | 'edited' | 'created' | 'deleted' | 'searched'

export interface FileTouch {
  readonly path: string
  readonly operation: FileOperation
}
