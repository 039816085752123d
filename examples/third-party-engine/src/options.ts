import { InvalidOptionError } from '@palimpsest/core'

/** The options of the engine. */
export interface TopicWindowOptions {
  /** Share of the usable window at which compaction begins, below 1. Default 0.6. */
  readonly threshold?: number
  /** Share of it that a compaction leaves, above 0 and below `threshold`. Default 0.35, less under a low threshold. */
  readonly target?: number
  /** Newest turns that stay as far as they fit into 60 % of what is left. At least 1. Default 4. */
  readonly keepTurns?: number
}

/**
 * The options with their defaults.
 *
 * @throws InvalidOptionError that names the option and what would be right.
 */
export function resolveOptions(options: TopicWindowOptions): Required<TopicWindowOptions> {
  if (typeof options !== 'object' || options === null) throw invalid('topic-window', 'must be an object')
  const { threshold = 0.6, target = Math.min(0.35, threshold * 0.6), keepTurns = 4, ...unknown } = options
  for (const key of Object.keys(unknown))
    throw invalid(`topic-window.${key}`, 'is not known; known options: threshold, target, keepTurns')
  if (!(isShare(threshold) && threshold < 1))
    throw invalid('topic-window.threshold', 'must be above 0 and below 1')
  if (!(isShare(target) && target < threshold))
    throw invalid('topic-window.target', `must be above 0 and below the threshold, ${threshold}`)
  if (!Number.isSafeInteger(keepTurns) || keepTurns < 1)
    throw invalid('topic-window.keepTurns', 'must be a whole number, 1 or more')
  return { threshold, target, keepTurns }
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value > 0
}

function invalid(path: string, what: string): InvalidOptionError {
  return new InvalidOptionError(path, `${path} ${what}`)
}
