import type { JudgeEnvironment } from '../judge/judge-models.ts'

/** What the command line takes from the process. */
export interface Surroundings {
  /** The bench's folder, with a slash at its end. */
  readonly root: URL
  readonly stdout: NodeJS.WritableStream
  /** Progress goes here. */
  readonly stderr: NodeJS.WriteStream
  readonly env: JudgeEnvironment
  readonly now: () => Date
}
