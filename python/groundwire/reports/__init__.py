"""Reports for people, programs and code review: text, JSON, workflow annotations.

Every writer works on plain data (``ReportDict``), as ``report.to_json()`` and report files
have it.
"""

from __future__ import annotations
