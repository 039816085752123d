const INSTRUCTION_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer'])

/** True for the roles of a system prompt, as a store knows them: core's `isInstruction` needs the whole message. */
export function isInstructionRole(role: unknown): boolean {
  return INSTRUCTION_ROLES.has(role)
}
