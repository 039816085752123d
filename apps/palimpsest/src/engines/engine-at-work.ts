interface EngineAtWork {
  readonly name: string
  readonly state: 'was being loaded' | 'was running'
}

let latest: EngineAtWork | undefined

export function noteEngine(name: string, state: EngineAtWork['state']): void {
  latest = { name, state }
}

export function engineAtWork(): EngineAtWork | undefined {
  return latest
}
