/** Lockstep's sign: two that move as one. */
export function Mark() {
  return (
    <svg class="shell-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M9 8v16h6" />
      <path d="M23 24V8h-6" opacity=".6" />
    </svg>
  );
}
