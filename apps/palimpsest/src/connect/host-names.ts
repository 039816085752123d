export const HOST_NAMES = ['claude-code', 'codex', 'opencode', 'pi'] as const

export type HostName = (typeof HOST_NAMES)[number]
