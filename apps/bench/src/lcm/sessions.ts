/** The session that holds the conversation. */
export const SESSION = { principal: 'local', key: 'bench' }
/** Another one in the same file, older and always of the same size: what it costs must not depend on its neighbour. */
export const NEIGHBOUR = { principal: 'local', key: 'neighbour' }

/** 2026-01-01T00:00:00Z; the messages came one second apart. */
export const START = 1_767_225_600_000
export const timeOf = (seq: number): number => START + seq * 1000
