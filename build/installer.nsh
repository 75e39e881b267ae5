; "Send to" of the Explorer: the plain entry. Those with presets are written by "vitrine file-manager install".
!macro customInstall
  CreateShortCut "$SENDTO\Process with Vitrine.lnk" "$INSTDIR\${APP_EXECUTABLE_FILENAME}" "--" "" "" "" "" "Written by Vitrine (file-manager)"
!macroend

!macro customUnInstall
  Delete "$SENDTO\Process with Vitrine.lnk"
!macroend
