/** What a terminal may obey and JSON leaves as it is: the second set of control characters, and marks of direction. */
const STEERING = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** JSON that says the same, and steers no terminal that it is printed to. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
