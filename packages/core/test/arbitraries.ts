/** The generated conversations of the contract suite: core is held to the same ones as the engines. */
export * from '../../contract-tests/src/harness/generated-conversations.ts'
