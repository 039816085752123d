/** Why a tool did not do what it was asked: a sentence for the model that says what would be right. */
export class ToolFault extends Error {}
