interface EngineAtWork {
  readonly name: string
  readonly state: 'was being loaded' | 'was running'
}

let latest: EngineAtWork | undefined

/** Remembers which engine to name when the program ends in a way that its code does not know of. */
export function noteEngine(name: string, state: EngineAtWork['state']): void {
  latest = { name, state }
}

export function engineAtWork(): EngineAtWork | undefined {
  return latest
}
