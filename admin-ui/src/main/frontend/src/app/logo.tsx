/** Requests that find the decoder of their kind. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect className="logo-ground" width="24" height="24" rx="6" />
      <path className="logo-line" d="M5.5 12h3.2c2.6 0 2.6-4.8 5.2-4.8M8.7 12c2.6 0 2.6 4.8 5.2 4.8M8.7 12h5" />
      <circle className="logo-dot" cx="16.9" cy="7.2" r="1.7" />
      <circle className="logo-dot logo-dot-lit" cx="16.9" cy="12" r="1.7" />
      <circle className="logo-dot" cx="16.9" cy="16.8" r="1.7" />
    </svg>
  );
}
