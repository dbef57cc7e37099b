import type { Check } from "../../check.js";
import type { IdeUnderTest } from "../ide-under-test.js";

export type IdeCheck = Check<IdeUnderTest>;
